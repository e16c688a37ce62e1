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
		Short: "Check a running World as a strict runtime reads it",
		Long: "Read a running World, of this program or another, as a strict runtime does, and say of each rule whether it holds.\n" +
			"The token is a member's; nothing of theirs is changed. The exit status is 1 if a rule is broken. See help conformance.",
		Example: "  appliance harness --url https://home.example.org --token-stdin < token",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" || !tokenStdin {
				return usageError{errors.New("give the address with --url, and the token with --token-stdin")}
			}
			token, err := c.stdin.ReadString('\n')
			if token = strings.TrimSpace(token); token == "" {
				return usageError{errors.New("there is no token on stdin")}
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
			if err := c.print(report, func(w io.Writer) { harnessTable(w, report) }); err != nil {
				return err
			}
			if report.Failed > 0 {
				return fmt.Errorf("%d of %d checks failed", report.Failed, len(report.Checks))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "The base `URL` of the World.")
	cmd.Flags().BoolVar(&tokenStdin, "token-stdin", false, "Read a member's access token from the first line of stdin.")
	return cmd
}

// harnessTable prints a line for each check, and below it what was seen.
func harnessTable(w io.Writer, r *harness.Report) {
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
