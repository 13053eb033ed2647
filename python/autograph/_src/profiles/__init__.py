"""Profiles: what a call of a staged function spends, by line of the program."""

from autograph._src.profiles.profile import Profile as Profile
from autograph._src.profiles.profile_line import ProfileLine as ProfileLine
