"""What a person did wrong, said in one line."""


class UserError(Exception):
    """Bad input: the message names the thing and the place and says what would be right. Exit status 2."""


class Failure(Exception):
    """Something failed that is not the user's doing, such as a full disk. Exit status 1."""
