package cli

import (
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"appliance/app"
	"appliance/app/config"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func (c *cli) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: "Run the server until it is interrupted. On an empty data directory it prints a link to create the first\n" +
			"operator in a browser. Each setting below can also be set in the environment (--base-url as\n" +
			"APPLIANCE_BASE_URL) or in the settings file (base-url = \"…\").\n\n" +
			"Secret settings have no flag, because other users of the machine can read command lines:\n" + config.SecretHelp(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			log, level := newLog(c.stderr, settings)
			o := app.ServeOptions{
				Settings: settings, Log: log, LogLevel: level,
				LoadSettings: func() (*config.Settings, error) { return config.Load(cmd.Flags(), c.environ) },
			}
			if isTerminal(c.stdout) {
				o.Terminal = c.stdout
			}
			reload := make(chan os.Signal, 1)
			signal.Notify(reload, syscall.SIGHUP)
			defer signal.Stop(reload)
			o.Reload = reload
			return app.Serve(cmd.Context(), o)
		},
	}
	config.AddFlags(cmd.Flags())
	return cmd
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newLog returns a log with the level and format of the settings, and its level.
func newLog(w io.Writer, settings *config.Settings) (*slog.Logger, *slog.LevelVar) {
	level := new(slog.LevelVar)
	level.Set(settings.LogLevel())
	options := &slog.HandlerOptions{Level: level}
	if settings.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), level
	}
	return slog.New(slog.NewTextHandler(w, options)), level
}
