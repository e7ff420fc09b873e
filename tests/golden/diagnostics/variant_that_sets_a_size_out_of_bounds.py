# variant_that_sets_a_size_out_of_bounds.py:5: the variant 'eager' sets queues to 9; it takes 1 to 4
from fencepost import Variant
from toy import toy

protocol = toy(variants=[Variant("eager", "does not wait", sizes=(("queues", 9),))])
