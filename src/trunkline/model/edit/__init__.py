"""A network file edited as text: what was not asked to change stays, to the byte."""

from trunkline.model.edit.editing import Editing, edit

__all__ = ["Editing", "edit"]
