# variant_called_like_the_default.py:5: the variant 'merged' is called like the default; rename it, or give default=
from fencepost import Variant
from toy import toy

protocol = toy(variants=[Variant("merged", "as it was merged")], default="merged")
