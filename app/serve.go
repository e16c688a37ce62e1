package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/store"
)

// drainTime limits requests in progress after the signal to stop.
const drainTime = 10 * time.Second

// heapGrowth is the heap growth between collections, in percent, unless GOGC
// sets another. The live heap is a few megabytes; with the default of 100 one
// large response would wait for several collections.
const heapGrowth = 200

// Serve runs the server until ctx ends. If terminal is not nil, the link to the
// set-up page is printed there instead of being written to a file.
func Serve(ctx context.Context, settings *config.Settings, log *slog.Logger, terminal io.Writer) (err error) {
	if previous := debug.SetGCPercent(heapGrowth); previous != 100 {
		debug.SetGCPercent(previous)
	}
	unlock, err := store.Lock(settings.Data)
	if err != nil {
		return err
	}
	defer unlock()
	db, err := OpenDatabase(ctx, settings, func(m store.Migration) {
		log.Info("migrating the database", "migration", fmt.Sprintf("%04d_%s", m.Version, m.Name))
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ln, err := listen(settings, log)
	if err != nil {
		return err
	}
	defer ln.Close() // a second time after serving
	settings.ServedOn(ln.Addr())
	a, err := Assemble(db, settings, log)
	if err != nil {
		return err
	}
	defer os.Remove(settings.SetupLink()) // a new server makes another link
	if err := a.announce(ctx, ln.Addr(), terminal); err != nil {
		return err
	}
	socket, _ := unsetVariable("NOTIFY_SOCKET")
	return a.serve(ctx, ln, func(state string) {
		if err := notify(socket, state); err != nil {
			log.Warn("systemd was not notified", "state", state, "err", err)
		}
	})
}

// OpenDatabase migrates the database if necessary and opens it. progress is
// called before each migration; it may be nil.
func OpenDatabase(ctx context.Context, settings *config.Settings, progress func(store.Migration)) (*store.DB, error) {
	if err := settings.MakeBackups(); err != nil {
		return nil, err
	}
	if _, err := store.Migrate(ctx, settings.Database(), settings.Backups(), progress); err != nil {
		return nil, err
	}
	return store.Open(ctx, settings.Database(), store.Options{})
}

// serve handles requests on ln and runs the jobs until ctx ends, and then waits
// for requests in progress. It passes the states of sd_notify(3) to report.
func (a *App) serve(ctx context.Context, ln net.Listener, report func(state string)) error {
	background, stopJobs := context.WithCancel(context.WithoutCancel(ctx))
	var jobs sync.WaitGroup
	for _, j := range a.jobs() {
		jobs.Go(func() { a.run(background, j) })
	}
	defer jobs.Wait()
	defer stopJobs()

	web := a.HTTP.NetServer()
	drained := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		a.Log.Info("stopping")
		report("STOPPING=1")
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		defer cancel()
		err := web.Shutdown(grace)
		if errors.Is(err, context.DeadlineExceeded) {
			err = web.Close()
		}
		drained <- err
	})
	defer stop()
	report("READY=1") // the port is open: from now on connections wait at worst
	if err := web.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-drained // Serve returns when Shutdown begins
}

// announce logs the address of the server. While there are no members, it
// provides the link to the set-up page: on the terminal or, without one, in a
// file, because other users of the machine may be able to read the log.
func (a *App) announce(ctx context.Context, addr net.Addr, terminal io.Writer) error {
	a.Log.Info("serving", "address", a.Settings.URL().String(), "listen", addr.String(), "data", a.Settings.Data)
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() && a.Settings.BaseURL == "" {
		a.Log.Warn("links to this server do not work on other machines: set base-url to the address that members use",
			"address", a.Settings.URL().String())
	}
	needed, err := a.Setup.Needed(ctx)
	if err != nil || !needed {
		return err
	}
	link := a.Settings.Link("/setup?code=" + a.Setup.NewCode())
	if terminal != nil {
		fmt.Fprintf(terminal, "\nThere are no members yet. Create the first operator here, within one hour:\n\n  %s\n\n", link)
		return nil
	}
	file := a.Settings.SetupLink()
	if err := config.WritePrivate(file, link+"\n"); err != nil {
		return fmt.Errorf("writing the set-up link: %w", err)
	}
	a.Log.Info("there are no members yet: a link to create the first operator is in a file, for one hour", "file", file)
	return nil
}
