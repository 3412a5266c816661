package agent_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	agent "github.com/crosszone/crosszone/kits/go"
)

func TestHandlerGetsTextDataFilesAndIDs(t *testing.T) {
	received := make(chan agent.Message, 1)
	c := clientOf(t, func(_ context.Context, m agent.Message, _ *agent.Task) (string, error) {
		received <- m
		return "", nil
	})
	parts := []object{
		{"text": "one"}, {"text": `{"thread":[]}`}, {"text": "two"}, {"data": []int{1}},
		{"raw": "aGk", "filename": "a.txt", "mediaType": "text/plain"},
		{"url": "https://files.example.com/b", "mediaType": "text/csv"},
	}
	task := c.send("", object{"parts": parts, "contextId": "c1", "metadata": object{"a": 1}}, nil)
	m := <-received
	equal(t, "one\n{\"thread\":[]}\ntwo", m.Text)
	equal(t, []any{[]int{1}}, m.Data)
	equal(t, []any{"c1", task["id"], object{"a": 1}}, []any{m.ContextID, m.TaskID, m.Metadata})
	equal(t, []agent.File{
		{Name: "a.txt", MediaType: "text/plain", Bytes: []byte("hi")},
		{MediaType: "text/csv", URL: "https://files.example.com/b"},
	}, m.Files)
}

func TestStreamHasEachPieceInOrderAndTheSumOfTheUsage(t *testing.T) {
	c := clientOf(t, func(_ context.Context, _ agent.Message, task *agent.Task) (string, error) {
		task.Progress("Looking…")
		task.Usage(agent.Usage{InputTokens: 2})
		task.Usage(agent.Usage{InputTokens: 3, OutputTokens: 1, Cost: 0.5})
		task.File("a.txt", "text/plain", []byte("hi"))
		task.Write("one ")
		return "end", task.Data(object{"n": 1})
	})
	events := rest(c.events("SendStreamingMessage", paramsOf("go", nil, nil)))
	equal(t, "TASK_STATE_WORKING", at(events[0], "task", "status", "state"))
	equal(t, "Looking…", at(events[1], "statusUpdate", "status", "message", "parts", 0, "text"))
	made := []any{}
	for _, event := range events[2 : len(events)-1] {
		update := event["artifactUpdate"]
		made = append(made, []any{at(update, "artifact", "artifactId"), at(update, "append")})
	}
	equal(t, []any{[]any{"file-1", nil}, []any{"answer", nil}, []any{"data-2", nil}, []any{"answer", true}}, made)
	last := events[len(events)-1]["statusUpdate"]
	equal(t, "TASK_STATE_COMPLETED", at(last, "status", "state"))
	equal(t, object{"input_tokens": 5, "output_tokens": 1, "cost": 0.5}, at(last, "metadata", "usage"))
}

func TestAnswerToAQuestionReachesTheHandler(t *testing.T) {
	c := clientOf(t, func(_ context.Context, _ agent.Message, task *agent.Task) (string, error) {
		city, err := task.Ask("Which city?")
		return "You said " + city.Text + ".", err
	})
	asked := c.send("go", nil, nil)
	equal(t, "TASK_STATE_INPUT_REQUIRED", at(asked, "status", "state"))
	equal(t, "Which city?", at(asked, "status", "message", "parts", 0, "text"))
	done := c.send("Oslo", object{"taskId": asked["id"]}, nil)
	equal(t, "You said Oslo.", at(done, "artifacts", 0, "parts", 0, "text"))
	roles := []any{}
	for _, message := range done["history"].([]any) {
		roles = append(roles, at(message, "role"))
	}
	equal(t, []string{"ROLE_USER", "ROLE_AGENT", "ROLE_USER"}, roles)
	late := c.call("SendMessage", paramsOf("late", object{"taskId": asked["id"]}, nil))
	equal(t, -32004, at(late, "error", "code"))
}

func TestCanceledTaskStopsItsHandler(t *testing.T) {
	stopped := make(chan error, 1)
	c := clientOf(t, func(ctx context.Context, _ agent.Message, task *agent.Task) (string, error) {
		<-ctx.Done()
		task.Write("too late")
		_, err := task.Ask("Too late?")
		stopped <- err
		return "", err
	})
	task := c.send("go", nil, object{"returnImmediately": true})
	canceled := c.call("CancelTask", object{"id": task["id"]})
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("Ask returned %v.", err)
	}
	equal(t, "TASK_STATE_CANCELED", at(canceled, "result", "status", "state"))
	equal(t, nil, at(canceled, "result", "artifacts"))
	equal(t, -32002, at(c.call("CancelTask", object{"id": task["id"]}), "error", "code"))
}

func TestTextOfAnErrorReachesTheClientOnlyIfItIsForPeople(t *testing.T) {
	c := clientOf(t, func(_ context.Context, m agent.Message, _ *agent.Task) (string, error) {
		switch m.Text {
		case "known":
			return "", agent.UserError("No such city.")
		case "panic":
			panic("password=hunter2")
		}
		return "", errors.New("password=hunter2")
	})
	said := func(task object) string { return at(task, "status", "message", "parts", 0, "text").(string) }
	equal(t, "No such city.", said(c.send("known", nil, nil)))
	for _, text := range []string{"error", "panic"} {
		task := c.send(text, nil, nil)
		equal(t, "The agent could not finish this task. Reference: "+task["id"].(string), said(task))
	}
}

func TestDataThatIsNoJSONIsAnError(t *testing.T) {
	c := clientOf(t, func(_ context.Context, _ agent.Message, task *agent.Task) (string, error) {
		if err := task.Data(math.NaN()); err == nil || !strings.Contains(err.Error(), "NaN") {
			return "accepted", nil
		}
		return "refused", nil
	})
	equal(t, "refused", at(c.send("go", nil, nil), "artifacts", 0, "parts", 0, "text"))
}
