package dev.abacus.topology.model.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbedderPart;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelInventory;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.model.token.Tokenizers;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The product without the libraries of the in-process embedder, as the distribution starts it. */
class EmbedderPartTest {

  private static final Pattern PART =
      Pattern.compile("(onnxruntime|tokenizers|api|langchain4j-embeddings.*)-[0-9].*\\.jar");

  @Test
  void theEmbedderIsReportedAsMissingBeforeItIsCalled() throws Exception {
    assertThat(withoutPart(Inventory.class))
        .containsExactly(ModelState.MISSING.name(), EmbedderPart.MISSING);
  }

  @Test
  void callsFailWithTheNameOfThePartSoThatDocumentsWait() throws Exception {
    assertThat(withoutPart(Call.class)).containsExactly("true", EmbedderPart.MISSING);
  }

  @Test
  void otherModelsCountTokensAndATokenizerFileIsRefusedWithTheReason() throws Exception {
    assertThat(withoutPart(Tokens.class))
        .satisfiesExactly(
            tokens -> assertThat(tokens).isEqualTo("2"),
            refusal -> assertThat(refusal).contains("own", EmbedderPart.MISSING));
  }

  @Test
  void thePartIsThereInACheckout() {
    assertThat(EmbedderPart.isInstalled()).isTrue();
  }

  /** Runs inside a class loader without the part. */
  public static final class Inventory implements Callable<List<String>> {
    @Override
    public List<String> call() throws InterruptedException {
      ModelInventory inventory =
          new ModelInventory(ModelCatalogue.builtIn(), List.of(provider()), InstantSource.system());
      inventory.check();
      var problem = Objects.requireNonNull(inventory.problem(MiniLmEmbedder.NAME));
      return List.of(problem.state().name(), problem.message());
    }
  }

  /** Runs inside a class loader without the part. */
  public static final class Call implements Callable<List<String>> {
    @Override
    public List<String> call() throws InterruptedException {
      Embedder embedder = provider().embedder(ModelCatalogue.builtIn().get(MiniLmEmbedder.NAME));
      var failed = (EmbeddingAnswer.Failed) embedder.embed(List.of("text"));
      return List.of(
          String.valueOf(failed.failure().isProviderFault()), failed.failure().message());
    }
  }

  /** Runs inside a class loader without the part. */
  public static final class Tokens implements Callable<List<String>> {
    @Override
    public List<String> call() {
      ModelCatalogue catalogue = ModelCatalogue.builtIn();
      TokenCounter counter = TokenCounter.of(catalogue);
      var _ = counter.tokenizer(MiniLmEmbedder.NAME).count("hello world");
      ModelCard own =
          ModelCard.chat("own").contextTokens(1000).tokenizer("/own/tokenizer.json").build();
      String refusal = "";
      try {
        var _ = Tokenizers.of(own);
      } catch (IllegalArgumentException e) {
        refusal = String.valueOf(e.getMessage());
      }
      return List.of(
          String.valueOf(counter.tokenizer("gpt-4o").count("hello world").tokens()), refusal);
    }
  }

  private static MiniLmEmbedder.Provider provider() {
    return new MiniLmEmbedder.Provider(new EmbeddingCache(1000));
  }

  private static List<String> withoutPart(Class<? extends Callable<List<String>>> task)
      throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(pathWithoutPart(), ClassLoader.getPlatformClassLoader())) {
      @SuppressWarnings("unchecked")
      var copy =
          (Callable<List<String>>)
              loader.loadClass(task.getName()).getDeclaredConstructor().newInstance();
      return copy.call();
    }
  }

  private static URL[] pathWithoutPart() throws IOException {
    List<URI> kept =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(path -> !PART.matcher(path.getFileName().toString()).matches())
            .map(Path::toUri)
            .toList();
    URL[] urls = new URL[kept.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = kept.get(i).toURL();
    }
    return urls;
  }
}
