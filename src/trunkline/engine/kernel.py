"""The compiled core behind a plain C ABI, called through ctypes."""


def trouble() -> str:
    """Return why the compiled core cannot be used, an empty string where it can."""
    return "no compiled library"
