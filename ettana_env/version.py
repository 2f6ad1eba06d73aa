"""The version, also of the engine: a compact record is rebuilt only by the version that wrote it."""

__version__ = "0.1.0"
