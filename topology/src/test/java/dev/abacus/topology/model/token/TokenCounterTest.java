package dev.abacus.topology.model.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The resource {@code tokens-by-script.json} has one message in 17 languages, and code, JSON,
 * digits and emoji, with the tokens that implementations other than those of the product count.
 */
class TokenCounterTest {

  private static final JsonNode MEASURED = measured();

  private static final List<String> MODELS =
      List.of("gpt-4o", "gpt-4o-mini", "gpt-4-turbo", "gpt-5", "gpt-5-mini", "unheard-of");

  private final TokenCounter counter =
      TokenCounter.of(ModelCatalogue.of(MODELS.stream().map(TokenCounterTest::card).toList()));

  private static ModelCard card(String name) {
    return ModelCard.chat(name).contextTokens(128_000).build();
  }

  private static JsonNode measured() {
    try (InputStream json =
        Objects.requireNonNull(
            TokenCounterTest.class.getResourceAsStream("tokens-by-script.json"))) {
      return new JsonMapper().readTree(json);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<String> scripts() {
    return MEASURED.propertyStream().map(entry -> entry.getKey());
  }

  private static String text(String script) {
    return MEASURED.at("/" + script + "/text").textValue();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void aModelWithAKnownVocabularyIsCountedExactly(String script) {
    JsonNode tokens = MEASURED.at("/" + script + "/tokens");
    assertThat(counter.count("gpt-4o", text(script)))
        .isEqualTo(TokenCount.exact(tokens.path("o200k_base").longValue()));
    assertThat(counter.count("gpt-4-turbo", text(script)))
        .isEqualTo(TokenCount.exact(tokens.path("cl100k_base").longValue()));
    assertThat(Tokenizers.of(card("all-minilm-l6-v2")).count(text(script)))
        .isEqualTo(TokenCount.exact(tokens.path("bert").longValue()));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void theIntervalOfAnEstimateContainsAllMeasuredVocabulariesOfChatModels(String script) {
    TokenCount estimate = counter.count("unheard-of", text(script));
    assertThat(estimate.isExact()).isFalse();
    MEASURED
        .at("/" + script + "/tokens")
        .propertyStream()
        .filter(entry -> !entry.getKey().equals("bert"))
        .forEach(entry ->
            assertThat(entry.getValue().longValue())
                .as("%s, %s", script, entry.getKey())
                .isBetween(estimate.low(), estimate.high()));
  }

  @Test
  void theEstimateOfEnglishIsWithinATenthOfAllVocabularies() {
    assertThat(counter.count("unheard-of", text("english")).tokens()).isCloseTo(92, within(9L));
  }

  @ParameterizedTest
  @CsvSource({
    "gpt-4o-2024-08-06, o200k",
    "chatgpt-4o-latest, o200k",
    "openai/gpt-4.1-nano, o200k",
    "gpt-5.1, o200k",
    "gpt-oss-120b, o200k",
    "o4-mini, o200k",
    "gpt-4, cl100k",
    "gpt-4-32k, cl100k",
    "gpt-3.5-turbo, cl100k",
    "gpt-35-turbo, cl100k",
    "text-embedding-3-small, cl100k",
    "all-minilm-l6-v2, bert",
    "llama-3.3-70b, estimate",
    "gpt-j-6b, estimate",
    "gpt-4all, estimate",
    "olmo-2, estimate"
  })
  void theNameOfAModelTellsItsVocabulary(String model, String family) {
    String text = text("vietnamese");
    TokenCount counted = Tokenizers.of(card(model)).count(text);
    JsonNode tokens = MEASURED.at("/vietnamese/tokens");
    if (family.equals("estimate")) {
      assertThat(counted.isExact()).isFalse();
    } else {
      String column = family.equals("bert") ? family : family + "_base";
      assertThat(counted).isEqualTo(TokenCount.exact(tokens.path(column).longValue()));
    }
  }

  @Test
  void aDeploymentWithAnyNameIsKnownByTheNameAtItsEndpoint() {
    ModelCard azure = ModelCard.chat("gpt-4o").apiName("prod-east").contextTokens(1000).build();
    ModelCard alias = ModelCard.chat("fast").apiName("gpt-4o").contextTokens(1000).build();
    for (ModelCard card : List.of(azure, alias)) {
      assertThat(Tokenizers.of(card).count(text("german"))).isEqualTo(TokenCount.exact(91));
    }
  }

  @Test
  void aCardNamesItsTokenizer(@TempDir Path folder) throws IOException {
    assertThat(of("cl100k_base").count(text("german"))).isEqualTo(TokenCount.exact(126));
    Path file = folder.resolve("tokenizer.json");
    try (InputStream json =
        Objects.requireNonNull(
            TokenCounterTest.class.getResourceAsStream("/all-minilm-l6-v2-q-tokenizer.json"))) {
      Files.copy(json, file);
    }
    assertThat(of(file.toString()).count(text("german")))
        .isEqualTo(TokenCount.exact(MEASURED.at("/german/tokens/bert").longValue()));
  }

  @Test
  void aTokenizerThatDoesNotExistIsReportedAtTheStart(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> of("o200k-bass"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("own")
        .hasMessageContaining("o200k-bass")
        .hasMessageContaining("o200k_base");
    assertThatThrownBy(() -> of(folder.resolve("none.json").toString()))
        .hasMessageContaining("own")
        .hasMessageContaining("none.json");
    Path bad = Files.writeString(folder.resolve("bad.json"), "{}");
    assertThatThrownBy(() -> of(bad.toString())).hasMessageContaining("bad.json");
    assertThatThrownBy(() -> TokenCounter.of(ModelCatalogue.of(List.of(named("o200k-bass")))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Tokenizer of(String tokenizer) {
    return Tokenizers.of(named(tokenizer));
  }

  private static ModelCard named(String tokenizer) {
    return ModelCard.chat("own").contextTokens(1000).tokenizer(tokenizer).build();
  }

  /** OpenAI's documented framing: 3 tokens and the role per message, 3 that begin the answer. */
  @Test
  void aRequestCountsMessagesWithTheirFramingAndTheSchema() {
    ModelRequest request =
        ModelRequest.of("gpt-4o", "hello world", List.of(new Content.Text("hello")), null);
    assertThat(counter.count(request)).isEqualTo(TokenCount.exact(2 + 1 + 2 * 4 + 3));
    ResponseSchema schema =
        new ResponseSchema("x", JsonNodeFactory.instance.objectNode().put("type", "object"));
    assertThat(
            counter
                .count(ModelRequest.of("gpt-4o", "hello world", request.content(), schema))
                .tokens())
        .isGreaterThan(14 + 4);
  }

  @Test
  void specialTokensInADocumentCountAsText() {
    assertThat(counter.count("gpt-4o", "<|endoftext|>").tokens()).isGreaterThan(1);
  }

  /** The examples of OpenAI's guide to images. */
  @ParameterizedTest
  @CsvSource({
    "gpt-4o, 1024, 1024, 765",
    "gpt-4o, 2048, 4096, 1105",
    "gpt-4o, 512, 512, 255",
    "gpt-4o-mini, 1024, 1024, 25501",
    "gpt-5, 1024, 1024, 630",
    "gpt-5-mini, 1024, 1024, 1659",
    "gpt-5-mini, 4096, 4096, 2489"
  })
  void anImageCountsByItsSize(String model, int width, int height, long tokens) throws IOException {
    for (String format : List.of("png", "jpg", "gif")) {
      assertThat(images(model, Content.of("image/" + format, image(format, width, height))))
          .isEqualTo(TokenCount.exact(tokens));
    }
  }

  @Test
  void anImageOfUnknownSizeIsAnEstimate() {
    TokenCount reference =
        images("gpt-4o", new Content.Attachment(Media.Reference.of("https://a.example/b.png")));
    assertThat(reference).isEqualTo(new TokenCount(765, 255, 1445));
    assertThat(images("gpt-4o", Content.of("image/png", "bm8gaW1hZ2U="))).isEqualTo(reference);
    assertThat(images("gpt-4o", Content.of("image/png", "no base64!"))).isEqualTo(reference);
  }

  /** A page of A4 has 6 tiles. */
  @Test
  void aPdfCountsTheImagesOfItsPages() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      document.addPage(new PDPage());
      document.addPage(new PDPage());
      document.save(bytes);
    }
    String base64 = Base64.getEncoder().encodeToString(bytes.toByteArray());
    assertThat(images("gpt-4o", Content.of("application/pdf", base64)))
        .isEqualTo(new TokenCount(2 * 1105, 2 * 255, 2 * 1445));
  }

  @Test
  void aSoundCountsTenTokensForASecond() {
    ByteBuffer wav = ByteBuffer.allocate(64_000).order(ByteOrder.LITTLE_ENDIAN);
    wav.put("RIFFxxxxWAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(28, 32_000);
    TokenCount twoSeconds = new TokenCount(20, 10, 80);
    assertThat(images("gpt-audio", sound(wav.array()))).isEqualTo(twoSeconds);
    byte[] mp3 = new byte[32_000];
    mp3[0] = (byte) 0xff;
    mp3[1] = (byte) 0xfb;
    mp3[2] = (byte) 0x90; // 128 kbit/s
    assertThat(images("gpt-audio", sound(mp3))).isEqualTo(twoSeconds);
    assertThat(
            images("gpt-audio", new Content.Attachment(Media.Reference.of("https://h/a.mp3")))
                .tokens())
        .isEqualTo(600);
  }

  private static Content sound(byte[] file) {
    return Content.of("audio/x", Base64.getEncoder().encodeToString(file));
  }

  private TokenCount images(String model, Content image) {
    TokenCount with =
        counter.count(ModelRequest.of(model, "", List.of(new Content.Text(""), image), null));
    TokenCount without =
        counter.count(ModelRequest.of(model, "", List.of(new Content.Text("")), null));
    return new TokenCount(
        with.tokens() - without.tokens(), with.low() - without.low(), with.high() - without.high());
  }

  private static String image(String format, int width, int height) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_BINARY);
    assertThat(ImageIO.write(image, format, bytes)).isTrue();
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  @Test
  void aVeryLongTextIsExtrapolatedFromPieces() {
    String text = (text("english") + " " + text("polish") + "\n").repeat(1000);
    long exact = counter.count("gpt-4o", text.substring(0, 60_000)).tokens();
    double density = exact / 60_000.0;
    TokenCount all = counter.count("gpt-4o", text);
    assertThat(all.isExact()).isFalse();
    assertThat((long) (density * text.length())).isBetween(all.low(), all.high());
    assertThat(all.high()).isLessThan((long) (1.2 * all.low()));
  }

  @Test
  void aTruncatedTextHasAtMostTheTokensAskedFor() {
    for (String model : List.of("gpt-4o", "all-minilm-l6-v2", "unheard-of")) {
      Tokenizer tokenizer = Tokenizers.of(card(model));
      scripts()
          .filter(script -> !script.equals("thai")) // One unknown word for BERT.
          .forEach(script -> {
            String truncated = tokenizer.truncate(text(script), 30);
            assertThat(text(script)).as("%s, %s", model, script).startsWith(truncated);
            assertThat(tokenizer.count(truncated).high())
                .as("%s, %s", model, script)
                .isLessThanOrEqualTo(30);
            assertThat(truncated.length()).as("%s, %s", model, script).isGreaterThan(10);
          });
      assertThat(tokenizer.truncate("short", 30)).isEqualTo("short");
    }
  }

  @Test
  void theBoundIsNeverBelowTheCount() {
    for (String model : Set.of("gpt-4o", "unheard-of")) {
      scripts()
          .forEach(script -> {
            ModelRequest request =
                ModelRequest.of(model, text(script), List.of(new Content.Text(text(script))), null);
            assertThat(counter.bound(request))
                .isGreaterThanOrEqualTo(counter.count(request).high());
          });
    }
  }
}
