package dev.abacus.deploy.simulator.skill;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The simulated models, from the resource {@code models.json}.
 *
 * @param models chat models
 * @param embeddings embedding models
 */
public record ModelProfiles(
    SkillFormula formula, List<ModelProfile> models, List<EmbeddingProfile> embeddings) {

  private static final double MILLION = 1e6;
  private static final String RESOURCE = "/dev/abacus/deploy/simulator/models.json";

  public ModelProfiles {
    models = List.copyOf(models);
    embeddings = List.copyOf(embeddings);
  }

  /** The models that the simulator includes. */
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

  /** The chat model with this name, or null. */
  public @Nullable ModelProfile chat(String name) {
    return models.stream().filter(model -> model.name().equals(name)).findFirst().orElse(null);
  }

  /** The embedding model with this name, or null. */
  public @Nullable EmbeddingProfile embedding(String name) {
    return embeddings.stream().filter(model -> model.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * An embedding model.
   *
   * @param name as the client writes it
   * @param dimensions length of its vectors
   * @param inputTokens longest input in tokens
   * @param secondsPerCall latency of a call in seconds
   * @param secondsPerThousandTokens added latency per thousand tokens of all inputs
   * @param inputUsdPerMillion price of a million tokens in USD
   */
  public record EmbeddingProfile(
      String name,
      int dimensions,
      int inputTokens,
      double secondsPerCall,
      double secondsPerThousandTokens,
      double inputUsdPerMillion) {

    /** What the provider charges for a number of tokens, in USD. */
    public double usd(int tokens) {
      return tokens * inputUsdPerMillion / MILLION;
    }
  }

  /**
   * Published properties of a chat model; the simulator uses no others.
   *
   * @param name as the client writes it
   * @param mmluPro MMLU-Pro accuracy in percent
   * @param contextTokens longest prompt in tokens
   * @param reasoning whether it produces thinking tokens before the answer, which cost money and
   *     time as output tokens
   * @param outputTokens longest answer in tokens; 0 if only the context limits it
   * @param inputUsdPerMillion price of a million uncached prompt tokens in USD
   * @param cachedInputUsdPerMillion price of a million cached prompt tokens in USD
   * @param outputUsdPerMillion price of a million output tokens in USD
   */
  public record ModelProfile(
      String name,
      double mmluPro,
      double secondsPerOutputToken,
      int contextTokens,
      boolean reasoning,
      int outputTokens,
      double inputUsdPerMillion,
      double cachedInputUsdPerMillion,
      double outputUsdPerMillion) {

    public ModelProfile {
      if (mmluPro <= 10 || mmluPro >= 100 || secondsPerOutputToken < 0 || contextTokens < 1) {
        throw new IllegalArgumentException("model " + name + ": a number is out of range");
      }
    }

    /** What the provider charges for a call, in USD. */
    public double usd(int prompt, int cached, int completion) {
      return ((prompt - cached) * inputUsdPerMillion
              + cached * cachedInputUsdPerMillion
              + completion * outputUsdPerMillion)
          / MILLION;
    }

    /** Whether OpenAI offers the model at the tier {@code flex}. */
    public boolean flex() {
      return name.startsWith("gpt-5") || name.startsWith("o4-");
    }

    /** Whether OpenAI offers the model. */
    public boolean openAi() {
      return name.startsWith("gpt-") || name.startsWith("o4-");
    }
  }
}
