package app

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"appliance/svc/zoneinfo"
)

// reloadable lists the settings that a running server can change.
var reloadable = []string{"log"}

// reloadOnSignal starts a goroutine that reads the certificate, the settings and the time zone
// data again on each signal of o.Reload, until stop is called. cert may be nil. It calls
// onZones after a change of the time zone data.
func (o *ServeOptions) reloadOnSignal(cert *certificate, onZones func()) (stop func()) {
	done := make(chan struct{})
	var loop sync.WaitGroup
	loop.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-o.Reload:
				if cert != nil {
					cert.reload()
				}
				o.reloadSettings(onZones)
			}
		}
	})
	return func() {
		close(done)
		loop.Wait()
	}
}

// reloadSettings reads the settings and the time zone data again, applies what a running server
// can change, and logs which changes need a restart. Invalid settings change nothing.
func (o *ServeOptions) reloadSettings(onZones func()) {
	next, err := o.LoadSettings()
	if err != nil {
		o.Log.Error("the settings were not reloaded: the previous ones stay in use", "err", err)
		return
	}
	o.LogLevel.Set(next.LogLevel())
	o.Log.Info("settings reloaded", "log", next.Log)
	changed := zoneinfo.Use(next.Zones())
	logZones(o.Log)
	if changed {
		onZones()
	}
	needRestart := o.Settings.ChangedNames(next)
	needRestart = slices.DeleteFunc(needRestart, func(name string) bool { return slices.Contains(reloadable, name) })
	if len(needRestart) > 0 {
		o.Log.Warn("restart the server to apply the other changed settings", "settings", strings.Join(needRestart, " "))
	}
}

// logZones logs the time zone data in use, and why other data was refused.
func logZones(log *slog.Logger) {
	if err := zoneinfo.Refused(); err != nil {
		log.Warn("time zone data was refused: see appliance help upgrade", "err", err)
	}
	z := zoneinfo.Current().Info
	log.Info("time zone data", "version", z.Version, "from", string(z.Source), "released", z.Released.Format(time.DateOnly))
}
