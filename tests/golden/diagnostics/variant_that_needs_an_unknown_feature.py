# variant_that_needs_an_unknown_feature.py:5: the variant 'eager' needs the unknown feature 'time'; did you mean 'timing'?
from fencepost import Variant
from toy import toy

protocol = toy(variants=[Variant("eager", "does not wait", features=("time",))])
