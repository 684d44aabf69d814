from hypothesis import settings

# How long an example takes depends on the machine, and on what its first use has to import.
settings.register_profile("cijie", deadline=None)
settings.load_profile("cijie")
