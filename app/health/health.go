// Package health contains the checks of an installation that the command doctor and the
// running server share. They are cheap: they read no table.
//
// # Files
//
//   - health.go: Diagnosis, and the checks of disk, backups, address and time zone data
//   - clock.go: the check of the clock
//   - certificate.go: the check of the certificate
package health

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"appliance/app/backups"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/words"
	"appliance/svc/zoneinfo"
)

// Diagnosis is the result of one check. Its fields are in English.
type Diagnosis struct {
	Check   string `json:"check"`
	State   string `json:"state"` // "ok", "warning" or "problem"
	Message string `json:"message"`
	Remedy  string `json:"mend"` // what to do; "" if the check passed

	text words.Text // of Message
}

// In returns the message and the remedy in the language l.
func (d Diagnosis) In(l words.Language) (message, remedy string) {
	return d.text.In(l), l.Text(d.Remedy)
}

// Text returns the messages and the remedies of a list in the language l.
func Text(list []Diagnosis, l words.Language) string {
	var texts []string
	for _, d := range list {
		message, remedy := d.In(l)
		texts = append(texts, message, remedy)
	}
	return strings.TrimSpace(strings.Join(texts, " "))
}

func newDiagnosis(check, state, remedy string, text words.Text) Diagnosis {
	return Diagnosis{check, state, text.In(words.English), remedy, text}
}

// States of a Diagnosis.
const (
	StateOK      = "ok"
	StateWarning = "warning"
	StateProblem = "problem"
)

// OK returns the result of a check that passed.
func OK(check, format string, args ...any) Diagnosis {
	return newDiagnosis(check, StateOK, "", words.Textf(format, args...))
}

// Warning returns the result of a check that found something to improve.
func Warning(check, remedy, format string, args ...any) Diagnosis {
	return newDiagnosis(check, StateWarning, remedy, words.Textf(format, args...))
}

// Problem returns the result of a check that failed.
func Problem(check, remedy, format string, args ...any) Diagnosis {
	return newDiagnosis(check, StateProblem, remedy, words.Textf(format, args...))
}

// zonesAge is the age of time zone data above which there is a warning. Every year the law of
// several countries changes.
const zonesAge = 365 * 24 * time.Hour

// Zones checks the age of the time zone data in use. refused says why another copy of the data
// is not used; it may be nil.
func Zones(info zoneinfo.Info, refused error, now time.Time) (list []Diagnosis) {
	if refused != nil {
		list = append(list, Warning("time zones", "Replace or remove the data. See appliance help upgrade.", "Time zone data was refused. %s", refused))
	}
	released := info.Released.Format(time.DateOnly)
	switch {
	case now.Sub(info.Released) > zonesAge:
		list = append(list, Warning("time zones", "Install newer data: see appliance help upgrade.",
			"The time zone data %s of %s is more than a year old. Times are wrong where the law has changed.", info.Version, released))
	case info.Source == zoneinfo.Program:
		list = append(list, OK("time zones", "The time zone data is %s of %s, from the program.", info.Version, released))
	default:
		list = append(list, OK("time zones", "The time zone data is %s of %s, from %s.", info.Version, released, info.Path))
	}
	return list
}

// Address checks that base-url is the address that members use, and that reverse proxies forward
// the Host of requests. foreignHost is the Host with which the request of the operator arrived, if it
// is not that of base-url, and otherwise ""; forwarded reports whether a proxy sent the request.
func Address(foreignHost string, forwarded bool, base *url.URL) (list []Diagnosis) {
	switch {
	case foreignHost == "":
		return nil
	case !forwarded:
		return []Diagnosis{Warning("address",
			"If members use the address that you have opened, set base-url to it in the settings file and restart the server. If a reverse proxy is in front of the server, it must forward the Host of requests: see appliance help https.",
			"You have opened the server at %s, but the setting base-url is %s. Invitations, links and the instructions for calendar apps contain base-url.", foreignHost, base)}
	}
	return []Diagnosis{Warning("address",
		"Add the line of your proxy. nginx: proxy_set_header Host $http_host; – Caddy: header_up Host {hostport} – Apache: ProxyPreserveHost On. Nothing needs to be changed if your browser runs on the machine of the server, or uses another address on purpose.",
		"Your browser's request arrived with the host %s, but base-url is %s. A reverse proxy must forward the Host of requests.", foreignHost, base)}
}

// Reach checks that other devices can connect to the server at base, which is base-url or will be
// it after a restart. proxied reports whether a reverse proxy is known to forward requests.
func Reach(settings *config.Settings, base *url.URL, proxied bool) []Diagnosis {
	local, listensLocally := config.IsLoopback(base), settings.ListensOnLoopback() && !proxied
	switch {
	case local && listensLocally:
		return []Diagnosis{Warning("address",
			"For other devices, set two settings in appliance.toml, in the data directory: base-url to the address that members use, and listen to 0.0.0.0 with the port, such as 0.0.0.0:8080. Instead of listen, a reverse proxy on this machine can forward requests: see appliance help https. Then restart the server.",
			"Only the machine of the server can open %s.", base)}
	case local:
		return []Diagnosis{Warning("address", "Set base-url in appliance.toml, in the data directory, to the address that members use, and restart the server.",
			"Links to the server work only on its machine, because they contain %s.", base)}
	case listensLocally:
		return []Diagnosis{Warning("address",
			"Set listen in appliance.toml, in the data directory, to 0.0.0.0 with the port, such as 0.0.0.0:8080, and restart the server; or let a reverse proxy on this machine forward requests: see appliance help https.",
			"The server listens on %s. Without a reverse proxy, other devices cannot open %s.", settings.Listen, base)}
	}
	return nil
}

// lowSpace is the free disk space below which there is a problem, in bytes.
const lowSpace = 1 << 30

// Disk checks the free space and the kind of the file system of a directory.
func Disk(dir string) (list []Diagnosis) {
	kind, free, err := store.FileSystem(dir)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
	case err != nil:
		list = append(list, Problem("disk", "", "%s", err))
	case free < lowSpace:
		list = append(list, Problem("disk", "Free disk space: on a full disk every write fails.", "%d MB are free.", free>>20))
	default:
		list = append(list, OK("disk", "%d GB are free.", free>>30))
	}
	if kind != "" {
		list = append(list, Warning("disk", "Move the data directory to a local disk.", "%s is on %s, which is not safe for SQLite.", dir, kind))
	}
	return list
}

// Backups checks the age of the last usable backup in list, the oldest first, which may be nil.
func Backups(settings *config.Settings, list []backups.Backup, now time.Time) Diagnosis {
	const remedy = "See the log of the server for the reason."
	if settings.BackupEvery == 0 {
		return Warning("backups", "Set backup-every, unless another program backs up the database.", "Automatic backups are switched off.")
	}
	list = backups.Usable(list)
	if len(list) == 0 {
		return Warning("backups", "The first backup is made within an hour after the start. If there is none later, see the log of the server.", "There is no backup.")
	}
	last := list[len(list)-1]
	age := now.Sub(last.CreatedAt)
	if age > 2*settings.BackupEvery+time.Hour {
		return Problem("backups", remedy, "The last backup, %s, is %d h old.", last.File, int(age.Hours()))
	}
	return OK("backups", "The last of %d backups is %d h old.", len(list), int(age.Hours()))
}

// MapsOutsideBackups returns what backups without map data lack, given the names of the
// imported regions.
func MapsOutsideBackups(regions []string) Diagnosis {
	if len(regions) == 0 {
		return OK("backups", "They contain no map data. After a restore, the server loads the towns again.")
	}
	return OK("backups", "They contain no map data. After a restore, import these regions again, or set backup-maps: %s.", strings.Join(regions, ", "))
}
