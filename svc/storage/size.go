package storage

import "appliance/svc/words"

// FormatSize formats a number of bytes in the language l, such as "12.3 MB" or "2048 MB".
// One MB is 2^20 bytes, as in the setting.
func FormatSize(l words.Language, octets int64) string {
	switch {
	case octets < 1<<10:
		return l.Textf("%d bytes", octets)
	case octets < 1<<20:
		return formatUnit(l, octets, 1<<10) + " KB"
	}
	return formatUnit(l, octets, 1<<20) + " MB"
}

// formatUnit formats octets in a unit: below 100 with one decimal unless it is 0.
func formatUnit(l words.Language, octets, unit int64) string {
	precision := 1
	if octets%unit == 0 || octets >= 100*unit {
		precision = 0
	}
	return l.Decimal(float64(octets)/float64(unit), precision)
}
