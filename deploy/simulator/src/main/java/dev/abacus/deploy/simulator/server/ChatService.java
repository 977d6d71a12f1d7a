package dev.abacus.deploy.simulator.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.answering.Answer;
import dev.abacus.deploy.simulator.answering.SimulatedModel;
import dev.abacus.deploy.simulator.answering.Task;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.deploy.simulator.wire.ChatRequest;
import dev.abacus.deploy.simulator.wire.ChatResponse;
import dev.abacus.deploy.simulator.wire.ChatResponse.Usage;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Serves chat completions. */
final class ChatService {

  private static final List<String> SYSTEM = List.of("system", "developer");
  private static final List<String> USER = List.of("user", "tool", "function");
  private static final int TOKENS_PER_MESSAGE = 3;
  private static final int TOKENS_OF_REPLY = 3;
  private static final int TOKENS_PER_IMAGE = 85;

  private final ModelProfiles catalogue;
  private final SimulatedModel simulated;
  private final Tokenizer tokenizer;
  private final CallStatistics statistics;
  private final Clock clock;
  private final PromptCache cache = new PromptCache();
  private final HashCounts prompts = new HashCounts();
  private final AtomicLong ids = new AtomicLong();

  ChatService(
      ModelProfiles catalogue,
      SimulatedModel simulated,
      Tokenizer tokenizer,
      CallStatistics statistics,
      Clock clock) {
    this.catalogue = catalogue;
    this.simulated = simulated;
    this.tokenizer = tokenizer;
    this.statistics = statistics;
    this.clock = clock;
  }

  /** A response and the simulated latency in seconds. */
  record Timed(ObjectNode json, double seconds) {}

  /**
   * Answers a request.
   *
   * @throws ApiException if the request is refused
   */
  Timed answer(JsonNode json) {
    ChatRequest request = ChatRequest.of(json);
    ModelProfile model = catalogue.chat(request.model());
    if (model == null) {
      throw ApiException.unknownModel(request.model());
    }
    int promptTokens = promptTokens(request);
    if (promptTokens > model.contextTokens()) {
      throw ApiException.tooLong(model.contextTokens(), promptTokens);
    }
    Skill skill = new Skill(catalogue.formula(), model);
    List<Answer> answers = answers(request, skill, promptTokens);
    String text = request.text(List.of("system", "developer", "user"));
    Usage usage =
        usage(
            request,
            skill,
            answers,
            promptTokens,
            cache.cachedTokens(model.name(), text, promptTokens));
    statistics.answered(model.name(), usage.prompt(), usage.cached(), usage.completion());
    double seconds =
        skill.secondsToFirstToken(promptTokens)
            + usage.completion() * model.secondsPerOutputToken();
    String id = "chatcmpl-simulated-" + ids.incrementAndGet();
    return new Timed(
        ChatResponse.of(id, clock.instant().getEpochSecond(), request, answers, usage, tokenizer),
        seconds);
  }

  private int promptTokens(ChatRequest request) {
    int tokens = TOKENS_OF_REPLY + request.images() * TOKENS_PER_IMAGE;
    for (ChatRequest.Message message : request.messages()) {
      tokens += TOKENS_PER_MESSAGE + 1 + tokenizer.count(message.text());
    }
    JsonNode format = request.responseFormat();
    return format == null
        ? tokens
        : tokens + tokenizer.count(format.path("json_schema").path("schema").toString());
  }

  private List<Answer> answers(ChatRequest request, Skill skill, int promptTokens) {
    Prompt prompt =
        Prompt.parse(request.text(SYSTEM), request.text(USER), request.answeredBefore());
    Task task = Task.of(request.responseFormat(), prompt);
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < request.choices(); i++) {
      int ordinal = request.temperature() > 0 ? prompts.add(identity(request, prompt)) : 0;
      answers.add(
          simulated.answer(
              prompt,
              task,
              new SimulatedModel.Invocation(skill, request.temperature(), ordinal, promptTokens)));
    }
    return answers;
  }

  private static long identity(ChatRequest request, Prompt prompt) {
    return KeyedRandom.seeded(0)
        .with(request.model())
        .with(prompt.text())
        .with(Double.doubleToLongBits(request.temperature()))
        .state();
  }

  private Usage usage(
      ChatRequest request, Skill skill, List<Answer> answers, int promptTokens, int cached) {
    int reasoning = 0;
    int completion = 0;
    for (Answer answer : answers) {
      int thinking = Math.min(thinkingTokens(request, skill, answer), request.maxTokens());
      reasoning += thinking;
      completion += Math.min(request.maxTokens(), thinking + tokenizer.count(answer.text()));
    }
    return new Usage(promptTokens, cached, completion, reasoning);
  }

  private static int thinkingTokens(ChatRequest request, Skill skill, Answer answer) {
    if (!skill.model().reasoning()) {
      return 0;
    }
    double effort =
        switch (request.effort()) {
          case "none", "minimal" -> 0;
          case "low" -> 0.5;
          case "high" -> 2;
          default -> 1;
        };
    return (int) Math.round(skill.formula().reasoningTokens() * effort * (0.5 + answer.thinking()));
  }
}
