# state_that_is_no_record.py:5: the state of a protocol is the function 'toy'; give state= a Record class
from fencepost import Protocol
from toy import toy

protocol = Protocol("mine", state=toy)
