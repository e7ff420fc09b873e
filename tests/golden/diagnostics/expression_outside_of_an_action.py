# expression_outside_of_an_action.py:5: a model expression is used outside of an action or property; move it into one
from toy import Queue, toy

protocol = toy()
FIRST = Queue.at(0)
