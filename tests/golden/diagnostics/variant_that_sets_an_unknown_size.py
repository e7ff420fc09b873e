# variant_that_sets_an_unknown_size.py:5: the variant 'eager' sets the unknown size 'queue'; did you mean 'queues'?
from fencepost import Variant
from toy import toy

protocol = toy(variants=[Variant("eager", "does not wait", sizes=(("queue", 1),))])
