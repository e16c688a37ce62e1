package words

import (
	"strconv"
	"strings"
)

// Decimal formats a number with digits after the decimal separator of the language l
// in its region: "1.5", and "1,5" in German.
func (l Language) Decimal(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'f', digits, 64)
	return strings.Replace(text, ".", l.formatter().decimal, 1)
}
