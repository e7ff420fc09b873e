"""What the command measures, a module each with `section(settings)`."""
