package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"appliance/assets"
	"appliance/world/harness"

	"github.com/spf13/cobra"
)

func (c *cli) harnessCommand() *cobra.Command {
	var url string
	var tokenStdin bool
	cmd := &cobra.Command{
		Use:   "harness --url URL --token-stdin",
		Short: "Check a running World like a strict runtime",
		Long: "Read a running World, of this program or another implementation, and report for each rule whether it holds.\n" +
			"The token belongs to a member, whose data are not changed. The exit status is 1 if a rule is violated. See help\n" +
			"conformance.",
		Example: "  appliance harness --url https://home.example.org --token-stdin < token",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" || !tokenStdin {
				return usageError{errors.New("pass the address with --url and the token with --token-stdin")}
			}
			token, err := c.stdin.ReadString('\n')
			if token = strings.TrimSpace(token); token == "" {
				return usageError{errors.New("standard input has no token")}
			} else if err != nil && err != io.EOF {
				return err
			}
			o := harness.Options{URL: url, Token: token, Schemas: assets.Files}
			progress := c.progress("Checking")
			if progress != nil {
				o.Progress = func(done, total int) { progress(int64(done), int64(total)) }
			}
			report, err := harness.Run(cmd.Context(), o)
			if errors.Is(err, harness.ErrURL) {
				return usageError{err}
			} else if err != nil {
				return err
			}
			if progress != nil {
				progress(1, 1)
			}
			if err := c.print(report, func(w io.Writer) { printHarnessTable(w, report) }); err != nil {
				return err
			}
			if report.Failed > 0 {
				return fmt.Errorf("%d of %d checks failed", report.Failed, len(report.Checks))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "Base `URL` of the World.")
	cmd.Flags().BoolVar(&tokenStdin, "token-stdin", false, "Read the access token of a member from the first line of standard input.")
	return cmd
}

// printHarnessTable prints one line per check, followed by the observations that
// explain a failure.
func printHarnessTable(w io.Writer, r *harness.Report) {
	names := map[string]string{harness.Passed: "passed", harness.Failed: "FAILED", harness.NotApplicable: "not applicable"}
	width := 0
	for _, check := range r.Checks {
		width = max(width, len(check.Name))
	}
	for _, check := range r.Checks {
		fmt.Fprintf(w, "%-14s  %-*s  %s\n", names[check.State], width, check.Name, strings.Join(check.Rows, " "))
		if check.State == harness.Passed {
			continue
		}
		for _, line := range check.Seen {
			fmt.Fprintf(w, "%16s%s\n", "", line)
		}
	}
	fmt.Fprintf(w, "\n%s: %d passed, %d failed, %d not applicable; %d requests.\n", r.URL, r.Passed, r.Failed, r.NotApplicable, r.Requests)
}
