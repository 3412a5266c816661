// Calls every operation of a zone's agents with the official client for Go, and prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
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
	answered := answerOf(send(asking, reply))
	blocking := false
	waiting := must(echo.SendMessage(ctx, &a2a.MessageSendParams{
		Message: words("wait"),
		Config:  &a2a.MessageSendConfig{Blocking: &blocking},
	})).(*a2a.Task).ID
	subscribed := ""
	for event, err := range echo.ResubscribeToTask(ctx, &a2a.TaskIDParams{ID: waiting}) {
		if update, ok := must(event, err).(*a2a.TaskStatusUpdateEvent); ok {
			subscribed += " " + string(update.Status.State)
			continue
		}
		subscribed = string(event.(*a2a.Task).Status.State)
		must(echo.CancelTask(ctx, &a2a.TaskIDParams{ID: waiting}))
	}
	config := a2a.TaskPushConfig{TaskID: waiting, Config: a2a.PushConfig{URL: "https://example.com"}}
	_, setError := echo.SetTaskPushConfig(ctx, &config)
	_, getError := echo.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigParams{TaskID: waiting})
	_, listError := echo.ListTaskPushConfig(ctx, &a2a.ListTaskPushConfigParams{TaskID: waiting})
	deleteError := echo.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigParams{TaskID: waiting, ConfigID: "a"})
	push := []int{}
	for _, err := range []error{setError, getError, listError, deleteError} {
		if !errors.Is(err, a2a.ErrPushNotificationNotSupported) {
			panic(err)
		}
		push = []int{-32003}
	}
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"asked":      asked.Status.State,
		"answered":   answered,
		"got":        must(asking.GetTask(ctx, &a2a.TaskQueryParams{ID: asked.ID})).Status.State,
		"streamed":   streamed,
		"subscribed": subscribed,
		"canceled":   must(echo.GetTask(ctx, &a2a.TaskQueryParams{ID: waiting})).Status.State,
		"card":       must(echo.GetAgentCard(ctx)).Description,
		"push":       push,
		"held":       answerOf(send(echo, words("hold"))),
	}))
}
