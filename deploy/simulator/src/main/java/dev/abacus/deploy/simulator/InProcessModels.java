package dev.abacus.deploy.simulator;

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
 * The simulated models without a server and without waiting. A response states how long the model
 * would have taken. Calls are independent: they have no faults and no prompt cache, and the same
 * request gets the same answer, even above temperature 0. Results depend neither on the order of
 * calls nor on the machine.
 *
 * <p>Thread-safe.
 */
public final class InProcessModels {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final ModelProfiles catalogue = ModelProfiles.bundled();
  private final Tokenizer tokenizer = new Tokenizer();
  private final CallStatistics statistics = new CallStatistics();
  private final EndpointState state =
      new EndpointState(SimulatorOptions.DEFAULTS, catalogue, CLOCK);
  private final SimulatedModel simulated;

  /**
   * The models over the documents of answers files.
   *
   * @param seed seed of all random effects
   * @throws AnswersFileException if a file is unreadable or invalid
   */
  public InProcessModels(List<Path> answers, long seed) {
    this.simulated = new SimulatedModel(KnownDocuments.load(answers), seed);
  }

  /**
   * A response.
   *
   * @param json as OpenAI's API writes it
   * @param seconds simulated latency
   * @param usd price
   */
  public record Timed(ObjectNode json, double seconds, double usd) {}

  /**
   * Embeddings.
   *
   * @param tokens number of tokens of all texts
   * @param seconds simulated latency
   */
  public record Vectors(List<float[]> vectors, int tokens, double seconds) {

    public Vectors {
      vectors = List.copyOf(vectors);
    }
  }

  /**
   * Answers a request in the shape of OpenAI's chat completions.
   *
   * @throws ApiException if the request is refused
   */
  public Timed chat(ObjectNode request) {
    return new ChatService(catalogue, simulated, tokenizer, statistics, CLOCK, state)
        .answer(request);
  }

  /**
   * Embeds texts of any length; the server refuses texts that exceed the limit of the model.
   *
   * @throws ApiException if the model does not exist
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
