package dev.abacus.deploy.simulator.skill;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The models of {@code models.json}.
 *
 * @param formula how scores become behaviour
 * @param models chat models
 * @param embeddings embedding models
 */
public record ModelProfiles(
    SkillFormula formula, List<ModelProfile> models, List<EmbeddingProfile> embeddings) {

  private static final String RESOURCE = "/dev/abacus/deploy/simulator/models.json";

  /** Copies. */
  public ModelProfiles {
    models = List.copyOf(models);
    embeddings = List.copyOf(embeddings);
  }

  /** The catalogue that comes with the simulator. */
  public static ModelProfiles bundled() {
    ObjectMapper mapper =
        new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    try (InputStream in = ModelProfiles.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + RESOURCE);
      }
      return mapper.readValue(in, ModelProfiles.class);
    } catch (IOException e) {
      throw new UncheckedIOException("unreadable resource " + RESOURCE, e);
    }
  }

  /** The chat model of that name, or null. */
  public @Nullable ModelProfile chat(String name) {
    return models.stream().filter(model -> model.name().equals(name)).findFirst().orElse(null);
  }

  /** The embedding model of that name, or null. */
  public @Nullable EmbeddingProfile embedding(String name) {
    return embeddings.stream().filter(model -> model.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * An embedding model.
   *
   * @param name as the client writes it
   * @param dimensions length of its vectors
   * @param inputTokens longest input, in tokens
   * @param secondsPerCall latency of a call, seconds
   * @param secondsPerThousandTokens added latency per thousand tokens of all inputs
   */
  public record EmbeddingProfile(
      String name,
      int dimensions,
      int inputTokens,
      double secondsPerCall,
      double secondsPerThousandTokens) {}

  /**
   * What is published about a chat model, and all that the simulator knows of it.
   *
   * @param name as the client writes it
   * @param mmluPro published MMLU-Pro accuracy, percent
   * @param secondsPerOutputToken seconds per output token
   * @param contextTokens the longest prompt, in tokens
   * @param reasoning whether it thinks before it answers (its thinking is output tokens that are
   *     paid and waited for)
   */
  public record ModelProfile(
      String name,
      double mmluPro,
      double secondsPerOutputToken,
      int contextTokens,
      boolean reasoning) {

    /** Checks the ranges. */
    public ModelProfile {
      if (mmluPro <= 10 || mmluPro >= 100 || secondsPerOutputToken < 0 || contextTokens < 1) {
        throw new IllegalArgumentException("model " + name + ": a number is out of range");
      }
    }
  }
}
