package dev.abacus.deploy.simulator.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.answering.SimulatedModel;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.skill.ModelProfiles.EmbeddingProfile;
import dev.abacus.deploy.simulator.tokens.HashedEmbedding;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The simulated models without a server and without waiting: who calls is answered at once, and
 * told how long the model would have taken. Every call stands by itself: there are no faults, no
 * prompt is known from before, and the same request gets the same answer, above temperature 0 too.
 * So what thousands of calls come to depends on neither their order nor the machine.
 *
 * <p>Safe for use by several threads.
 */
public final class InProcessModels {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final ModelProfiles catalogue = ModelProfiles.bundled();
  private final Tokenizer tokenizer = new Tokenizer();
  private final CallStatistics statistics = new CallStatistics();
  private final SimulatedModel reader;

  /**
   * Models that know these answers.
   *
   * @param seed of all chance
   * @throws AnswersFileException if a file is not as it should be
   */
  public InProcessModels(List<Path> answers, long seed) {
    this.reader = new SimulatedModel(KnownDocuments.load(answers), seed);
  }

  /**
   * A response.
   *
   * @param json in the shape of OpenAI's chat completions
   * @param seconds that the model would have taken
   */
  public record Timed(ObjectNode json, double seconds) {}

  /**
   * Vectors.
   *
   * @param tokens of all texts
   * @param seconds that the model would have taken
   */
  public record Vectors(List<float[]> vectors, int tokens, double seconds) {

    public Vectors {
      vectors = List.copyOf(vectors);
    }
  }

  /**
   * KnownDocuments a request in the shape of OpenAI's chat completions.
   *
   * @throws ApiException if it is refused
   */
  public Timed chat(ObjectNode request) {
    ChatService service = new ChatService(catalogue, reader, tokenizer, statistics, CLOCK);
    ChatService.Timed answer = service.answer(request);
    return new Timed(answer.json(), answer.seconds());
  }

  /**
   * Embeds texts; one that is too long is refused by a server, here it is embedded all the same.
   *
   * @throws ApiException if there is no such model
   */
  public Vectors embed(String model, List<String> texts) {
    EmbeddingProfile profile = catalogue.embedding(model);
    if (profile == null) {
      throw ApiException.unknownModel(model);
    }
    HashedEmbedding embedding = new HashedEmbedding(profile.dimensions());
    int tokens = texts.stream().mapToInt(tokenizer::count).sum();
    return new Vectors(
        texts.stream().map(embedding::embed).toList(),
        tokens,
        profile.secondsPerCall() + tokens / 1000.0 * profile.secondsPerThousandTokens());
  }
}
