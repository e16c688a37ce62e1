package storage

import "strconv"

// FormatSize formats a number of bytes for people, such as "12.3 MB" or "2048 MB".
// One MB is 2^20 bytes, as in the setting.
func FormatSize(octets int64) string {
	switch {
	case octets < 1<<10:
		return strconv.FormatInt(octets, 10) + " bytes"
	case octets < 1<<20:
		return formatUnit(octets, 1<<10) + " KB"
	}
	return formatUnit(octets, 1<<20) + " MB"
}

// formatUnit formats octets in a unit: below 100 with one decimal unless it is 0.
func formatUnit(octets, unit int64) string {
	precision := 1
	if octets%unit == 0 || octets >= 100*unit {
		precision = 0
	}
	return strconv.FormatFloat(float64(octets)/float64(unit), 'f', precision, 64)
}
