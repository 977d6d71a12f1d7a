package dev.abacus.topology.model.token;

import com.knuddels.jtokkit.api.EncodingType;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.EmbedderPart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the tokenizer of a model: by its card, else by its name, else an estimate.
 *
 * <p>Sources: OpenAI's table of models and encodings (tiktoken, {@code model.py}); the vocabularies
 * come with jtokkit and with the embedding model all-MiniLM-L6-v2. Nothing is loaded from a
 * network.
 */
public final class Tokenizers {

  /** The vocabulary of all-MiniLM-L6-v2, which is that of BERT. */
  private static final String MINILM = ModelCard.IN_PROCESS_EMBEDDER;

  private static final String JSON_SUFFIX = ".json";

  /** Names of models, without the prefix of a provider, and their vocabularies. */
  private enum Family {
    O200K("(chat)?gpt-4o|gpt-4\\.[1-9]|gpt-[5-9]|gpt-oss|o[1-9]", EncodingType.O200K_BASE),
    CL100K(
        "gpt-4|gpt-3\\.5|gpt-35|text-embedding-3|text-embedding-ada-002", EncodingType.CL100K_BASE);

    private final Pattern names;
    private final EncodingType vocabulary;

    Family(String names, EncodingType vocabulary) {
      this.names = Pattern.compile("(" + names + ")(?![a-z0-9]).*");
      this.vocabulary = vocabulary;
    }
  }

  private Tokenizers() {}

  /**
   * The tokenizer of a model.
   *
   * @throws IllegalArgumentException if the card names a tokenizer that does not exist, or a file
   *     that cannot be read
   */
  public static Tokenizer of(ModelCard card) {
    return new BoundedTokenizer(unbounded(card));
  }

  private static Tokenizer unbounded(ModelCard card) {
    String tokenizer = card.tokenizer();
    if (tokenizer != null) {
      return named(card.name(), tokenizer);
    }
    for (String name : List.of(card.name(), card.nameAtEndpoint())) {
      Tokenizer byName = byName(name.substring(name.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT));
      if (byName != null) {
        return byName;
      }
    }
    return new EstimatingTokenizer();
  }

  private static @Nullable Tokenizer byName(String model) {
    for (Family family : Family.values()) {
      if (family.names.matcher(model).matches()) {
        return new BytePairTokenizer(family.vocabulary);
      }
    }
    return model.equals(MINILM) ? miniLm() : null;
  }

  /** The vocabulary of all-MiniLM-L6-v2; an estimate if its libraries are not installed. */
  private static Tokenizer miniLm() {
    return EmbedderPart.isInstalled() ? HuggingFaceVocabulary.miniLm() : new EstimatingTokenizer();
  }

  private static Tokenizer named(String model, String tokenizer) {
    if (tokenizer.endsWith(JSON_SUFFIX)) {
      if (!EmbedderPart.isInstalled()) {
        throw new IllegalArgumentException(
            "model %s: a tokenizer file needs an optional part: %s"
                .formatted(model, EmbedderPart.MISSING));
      }
      try (InputStream json = Files.newInputStream(Path.of(tokenizer))) {
        return HuggingFaceVocabulary.read(json);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "model %s: the tokenizer %s cannot be read: %s"
                .formatted(model, tokenizer, e.getMessage()),
            e);
      }
    }
    if (tokenizer.equals(MINILM)) {
      return miniLm();
    }
    return EncodingType.fromName(tokenizer)
        .map(BytePairTokenizer::new)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "model %s: there is no tokenizer '%s'; use %s, %s or the path of a tokenizer.json"
                    .formatted(
                        model,
                        tokenizer,
                        Arrays.stream(EncodingType.values()).map(EncodingType::getName).toList(),
                        MINILM)));
  }
}
