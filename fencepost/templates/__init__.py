"""What `verify new` writes, under the name that the user gives: code that is checked as all other code is."""
