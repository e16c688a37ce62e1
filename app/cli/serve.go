package cli

import (
	"io"
	"log/slog"
	"os"

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
			"APPLIANCE_BASE_URL) or in the settings file (base-url = \"…\").",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			var terminal io.Writer
			if isTerminal(c.stdout) {
				terminal = c.stdout
			}
			return app.Serve(cmd.Context(), settings, newLog(c.stderr, settings), terminal)
		},
	}
	config.AddFlags(cmd.Flags())
	return cmd
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newLog returns a log with the level and format of the settings.
func newLog(w io.Writer, settings *config.Settings) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(settings.Log)) // checked by Validate
	options := &slog.HandlerOptions{Level: level}
	if settings.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
