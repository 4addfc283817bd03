"""What a table leaves open is asked, in one line with what to pass."""

import shlex


class UnclearTableError(ValueError):
    """A table has no layout that is known, or several: what is missing is asked.

    Parameters
    ----------
    question : str
        What is not known, a sentence or more.
    *answers : tuple of (dict, str)
        What to pass, by the name of the parameter, and when; with a None, what the user
        has to fill in.
    """

    def __init__(self, question, *answers):
        self.question = question
        self.answers = answers
        calls = [
            ", ".join(f"{name}={value!r}" for name, value in options.items()) + when
            for options, when in answers
        ]
        advice = f" Pass {'; or '.join(calls)}." if calls else ""
        super().__init__(f"`table` is not clear. {question}{advice}")

    def as_command(self, arguments):
        """Return the question in one line, with the commands to type.

        Parameters
        ----------
        arguments : list of str
            What was typed after the name of the command.
        """
        typed = shlex.join(["sklearn-cvtest", *arguments])
        commands = [
            " ".join([typed, *map(_option, options, options.values())]) + when
            for options, when in self.answers
        ]
        if not commands:
            return self.question
        return f"{self.question} Type: {'; or: '.join(commands)}"


class UnclearRolesWarning(UserWarning):
    """What a column holds is taken from its user, and may be something else."""


def _option(name, value):
    """Return an option of the command with its value."""
    flag = f"--{name.replace('_', '-')}"
    if value is True:
        return flag
    return f"{flag} {shlex.quote(str(value))}"
