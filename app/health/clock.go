package health

import (
	"os"
	"runtime/debug"
	"time"

	"appliance/app/backups"
	"appliance/app/config"
)

// longOff is the time since the last change of the data after which a wrong clock is more likely
// than a server that was off.
const longOff = 180 * 24 * time.Hour

// LastChange returns the time at which the database or a backup was last written, by the clock of
// that time. It is zero without a database.
func LastChange(settings *config.Settings) (last time.Time) {
	for _, file := range []string{settings.Database(), settings.Database() + "-wal"} {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	list, _ := backups.List(settings.BackupDir()) // Backups reports an error
	if n := len(list); n > 0 && list[n-1].CreatedAt.After(last) {
		last = list[n-1].CreatedAt
	}
	return last
}

// Clock checks that the clock is not behind the build time of the program or the last change of
// the data, and not far ahead of the latter.
func Clock(now, lastChange time.Time, loc *time.Location) Diagnosis {
	const (
		layout = "2006-01-02 15:04 MST"
		set    = "Set the clock and synchronize it by NTP."
	)
	if built := buildTime(); now.Before(built) {
		return Problem("clock", set, "The clock shows %s, before this program was built.", now.Format(time.RFC3339))
	}
	shown, changed := now.In(loc).Format(layout), lastChange.In(loc).Format(layout)
	switch {
	case lastChange.After(now.Add(time.Hour)):
		return Problem("clock", set+" If it is right now, it was ahead when the data was changed.",
			"The clock shows %s, but the data was last changed on %s.", shown, changed)
	case !lastChange.IsZero() && now.Sub(lastChange) > longOff:
		return Warning("clock", set+" If it is right, the server was off since then, and nothing needs to be done.",
			"The clock shows %s, and the data was last changed on %s. Unless the server was off for so long, the clock is wrong.", shown, changed)
	}
	return OK("clock", "The time is %s.", shown)
}

// buildTime returns the time of the source of the program, zero if it is unknown.
func buildTime() time.Time {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if built, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return built
		}
	}
	return time.Time{}
}
