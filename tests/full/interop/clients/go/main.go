// Asks the agents of a zone with the official client for Go, and prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/a2aclient/agentcard"
)

type withToken struct{}

func (withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer ci")
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func textOf(parts []a2a.Part) string {
	text := ""
	for _, part := range parts {
		if one, ok := part.(a2a.TextPart); ok {
			text += one.Text
		}
	}
	return text
}

func answerOf(task *a2a.Task) string {
	text := ""
	for _, artifact := range task.Artifacts {
		text += textOf(artifact.Parts)
	}
	return text
}

func main() {
	ctx := context.Background()
	http := &http.Client{Timeout: time.Minute, Transport: withToken{}}
	connect := func(agent string) *a2aclient.Client {
		card := must(agentcard.NewResolver(http).Resolve(ctx, os.Args[1]+agent+"/"))
		return must(a2aclient.NewFromCard(ctx, card, a2aclient.WithJSONRPCTransport(http)))
	}
	send := func(client *a2aclient.Client, message *a2a.Message) *a2a.Task {
		return must(client.SendMessage(ctx, &a2a.MessageSendParams{Message: message})).(*a2a.Task)
	}
	words := func(text string) *a2a.Message {
		return a2a.NewMessage(a2a.MessageRoleUser, a2a.TextPart{Text: text})
	}
	echo, asking := connect("echo"), connect("asking")
	asked := send(asking, words("go"))
	reply := words("it rains")
	reply.TaskID = asked.ID
	streamed := ""
	for event, err := range echo.SendStreamingMessage(ctx, &a2a.MessageSendParams{Message: words("stream")}) {
		if update, ok := must(event, err).(*a2a.TaskArtifactUpdateEvent); ok {
			if !update.Append {
				streamed = ""
			}
			streamed += textOf(update.Artifact.Parts)
		}
	}
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]string{
		"asked":    string(asked.Status.State),
		"answered": answerOf(send(asking, reply)),
		"streamed": streamed,
		"held":     answerOf(send(echo, words("hold"))),
	}))
}
