package com.example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.a2a.A2A;
import io.a2a.server.PublicAgentCard;
import io.a2a.server.agentexecution.*;
import io.a2a.server.events.EventQueue;
import io.a2a.server.tasks.TaskUpdater;
import io.a2a.spec.*;
import io.quarkus.vertx.web.Route;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.io.File;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.*;

/** Plays the scenarios of scenarios.json as an executor of the A2A SDK for Java, behind its reference server. */
@ApplicationScoped
public class ScenarioAgent implements AgentExecutor {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final List<Map<String, Object>> journal = new CopyOnWriteArrayList<>();
    private final Map<String, Thread> playing = new ConcurrentHashMap<>();

    @Route(path = "/journal")
    List<Map<String, Object>> journal() {
        return journal;
    }

    @Produces
    @PublicAgentCard
    AgentCard card() {
        List<String> modes = List.of("text/plain", "application/json", "text/csv");
        return new AgentCard.Builder().name("java").description("Plays scenarios.").version("1.0.0").protocolVersion("0.3.0")
            .url("http://127.0.0.1:" + System.getenv("QUARKUS_HTTP_PORT"))
            .capabilities(new AgentCapabilities.Builder().streaming(true).build())
            .defaultInputModes(modes).defaultOutputModes(modes).skills(List.of()).build();
    }

    @Override
    public void execute(RequestContext context, EventQueue queue) {
        String text = context.getUserInput("\n"), taskId = context.getTaskId(), contextId = context.getContextId();
        boolean continued = context.getTask() != null;
        journal.add(Map.of("text", text, "taskId", taskId, "contextId", contextId, "continued", continued));
        playing.put(taskId, Thread.currentThread());
        try {
            JsonNode scenarios = JSON.readTree(new File(System.getenv("SCENARIOS")));
            JsonNode steps = scenarios.required(scenarios.has(text) || !continued ? text : "continued");
            TaskStatus submitted = new TaskStatus(TaskState.SUBMITTED);
            if (!continued && !steps.get(0).has("message") && !steps.get(0).has("throws"))
                queue.enqueueEvent(new Task(taskId, contextId, submitted, null, List.of(context.getMessage()), null));
            for (JsonNode step : steps) play(step, context, queue);
        } catch (InterruptedException canceled) {
            // The SDK has published what became of the task.
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public void cancel(RequestContext context, EventQueue queue) {
        journal.add(Map.of("taskId", context.getTaskId(), "canceled", true));
        new TaskUpdater(context, queue).cancel();
        playing.get(context.getTaskId()).interrupt();
    }

    private void play(JsonNode step, RequestContext context, EventQueue queue) throws Exception {
        TaskUpdater updater = new TaskUpdater(context, queue);
        if (step.has("wait")) Thread.sleep((long) (step.get("wait").asDouble() * 1_000));
        if (step.has("message")) queue.enqueueEvent(A2A.toAgentMessage(step.get("message").asText()));
        if (step.has("status")) {
            TaskState state = TaskState.fromString(step.get("status").asText());
            List<Part<?>> says = List.of(new TextPart(step.path("says").asText()));
            updater.updateStatus(state, step.has("says") ? updater.newAgentMessage(says, null) : null, state != TaskState.WORKING);
        }
        if (step.has("artifact")) {
            JsonNode chunk = step.get("artifact");
            List<Part<?>> parts = new ArrayList<>();
            for (JsonNode part : chunk.get("parts")) parts.add(partOf(part, context));
            boolean append = chunk.path("append").asBoolean(), last = chunk.path("last").asBoolean();
            updater.addArtifact(parts, chunk.get("id").asText(), chunk.path("name").asText(null), null, append, last);
        }
        if (step.has("throws")) throw new IllegalStateException(step.get("throws").asText());
    }

    private static Part<?> partOf(JsonNode part, RequestContext context) throws Exception {
        if (part.has("data")) return new DataPart(JSON.convertValue(part.get("data"), Map.class));
        JsonNode file = part.path("file");
        String encoded = Base64.getEncoder().encodeToString(file.path("text").asText().getBytes());
        if (part.has("file")) return new FilePart(new FileWithBytes(file.get("type").asText(), file.get("name").asText(), encoded));
        List<String> files = new ArrayList<>();
        for (Part<?> one : context.getMessage().getParts())
            if (one instanceof FilePart sent && sent.getFile() instanceof FileWithBytes got) {
                byte[] bytes = Base64.getDecoder().decode(got.bytes());
                String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
                files.add(got.name() + " " + got.mimeType() + " " + bytes.length + " " + hash);
            }
        String text = part.get("text").asText().replace("{text}", context.getUserInput("\n"));
        return new TextPart(text.replace("{files}", String.join("; ", files)));
    }
}
