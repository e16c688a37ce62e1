package maintext

import _ "codeberg.org/readeck/go-readability/v2" // replaced by the first use
