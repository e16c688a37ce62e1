package app

import (
	"slices"
	"strings"
	"sync"
)

// reloadable lists the settings that a running server can change.
var reloadable = []string{"log"}

// reloadOnSignal starts a goroutine that reads the certificate and the settings
// again on each signal of o.Reload, until stop is called. cert may be nil.
func (o *ServeOptions) reloadOnSignal(cert *certificate) (stop func()) {
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
				o.reloadSettings()
			}
		}
	})
	return func() {
		close(done)
		loop.Wait()
	}
}

// reloadSettings reads the settings again, applies the reloadable ones, and logs
// which changes need a restart. Invalid settings change nothing.
func (o *ServeOptions) reloadSettings() {
	next, err := o.LoadSettings()
	if err != nil {
		o.Log.Error("the settings were not reloaded: the previous ones stay in use", "err", err)
		return
	}
	o.LogLevel.Set(next.LogLevel())
	o.Log.Info("settings reloaded", "log", next.Log)
	needRestart := o.Settings.ChangedNames(next)
	needRestart = slices.DeleteFunc(needRestart, func(name string) bool { return slices.Contains(reloadable, name) })
	if len(needRestart) > 0 {
		o.Log.Warn("restart the server to apply the other changed settings", "settings", strings.Join(needRestart, " "))
	}
}
