"""The errors a caller may want to catch. Each says what was given, what was expected, and where."""


class EttanaError(Exception):
    """The base of every error this project raises on purpose."""


class RulesError(EttanaError, ValueError):
    """Rules or a deck that cannot be played; the message names file, key, given and expected."""


class StateError(EttanaError, ValueError):
    """A state dict that is not a state of the game; the message names the key and why."""


class RecordError(EttanaError, ValueError):
    """A game record that is cut, doctored or not a record; the message names the line.

    `line` is the line's number, counted from 1.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line

    def __reduce__(self) -> tuple[type["RecordError"], tuple[str, int]]:
        return type(self), (str(self), self.line)


class IllegalAction(EttanaError, ValueError):  # noqa: N818 - it reads as what it is
    """An action the rules do not allow now. The game it was tried on is unchanged.

    `action` is what was given, `reason` why it was refused.
    """

    def __init__(self, action: object, reason: str) -> None:
        super().__init__(f"illegal action {action}: {reason}")
        self.action = action
        self.reason = reason

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[object, str]]:
        return type(self), (self.action, self.reason)
