"""Every key of the network file, once: the validator, the reference and the JSON Schema read this one table.

The whole file is `keys.file.NETWORK`, an events file `keys.events.EVENTS_FILE`.
"""
