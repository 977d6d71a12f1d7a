package dev.abacus.schemas.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {

  private static final String KEY = "sk-live/Ab+9\"xY=qwertz_42";
  private final Redactor redactor = Redactor.of(List.of(KEY + "\r\n"));

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aSecretIsHiddenAsItIsAndInEveryEncoding() {
    String percent = URLEncoder.encode(KEY, StandardCharsets.UTF_8);
    for (String text :
        List.of(
            KEY,
            percent,
            "sk-live%2fAb%2b9%22xY%3dqwertz_42",
            KEY.replace("\"", "\\\""),
            Base64.getEncoder().encodeToString(utf8(KEY)),
            Base64.getEncoder().encodeToString(utf8("u:" + KEY)),
            Base64.getEncoder().encodeToString(utf8("us:" + KEY + "\n")),
            Base64.getUrlEncoder().encodeToString(utf8("user:" + KEY)))) {
      String redacted = redactor.redact("status 401: bad key '" + text + "' given");

      assertThat(redacted).startsWith("status 401: bad key '").contains(Redactor.HIDDEN);
      assertThat(redacted).as(text).doesNotContain(text).doesNotContain("qwertz");
    }
  }

  @Test
  void theBeginningOfASecretAtTheEndOfAShortenedTextIsHidden() {
    assertThat(redactor.redact("bad key " + KEY.substring(0, 15) + "…"))
        .isEqualTo("bad key [hidden]");
    assertThat(redactor.redact("bad key " + KEY.substring(0, 4))).isEqualTo("bad key sk-l");
  }

  @Test
  void aTextWithoutASecretIsTheSame() {
    byte[] text = utf8("{\"message\": \"all is well\"}");

    assertThat(redactor.redact(text)).isSameAs(text);
    assertThat(Redactor.of(List.of("a", "", "  ")).redact("a banana")).isEqualTo("a banana");
  }

  @Test
  void aRedactorDoesNotPrintItsSecrets() {
    assertThat(redactor.toString()).doesNotContain("sk-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jaas-password-1",
        "store-password-2",
        "registry-password-3",
        "user-info-4",
        "model-key-5",
        "variable-key-6",
        "client-secret-7"
      })
  void theSecretsOfTheConfigurationAreFound(String secret) {
    Redactor configured =
        ConfiguredSecrets.redactor(
            Map.of(
                "sasl.jaas.config",
                "org.x.PlainLoginModule required username=\"joe\" password=\"jaas-password-1\" clientSecret=client-secret-7;",
                "ssl.keystore.password",
                "store-password-2",
                "schema.registry.url",
                "https://joe:registry-password-3@registry:8081",
                "basic.auth.user.info",
                "joe:user-info-4",
                "abacus.model.key",
                "model-key-5\r",
                "key.serializer",
                "org.apache.Serializer"),
            ModelCatalogue.builtIn(),
            variable -> variable.equals("OPENAI_API_KEY") ? "variable-key-6" : null);

    assertThat(configured.redact("x " + secret + " y")).isEqualTo("x [hidden] y");
    assertThat(configured.redact("org.apache.Serializer of joe"))
        .isEqualTo("org.apache.Serializer of joe");
  }

  @ParameterizedTest
  @ValueSource(strings = {"header-key-1", "azure-key-2", "query-token-3", "url-password-4"})
  void theKeysInACatalogueFileAreFound(String secret, @TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("models.json"),
            """
            [{"name": "own", "inputUsdPerMillion": 1, "outputUsdPerMillion": 1, "contextTokens": 1000,
              "endpoint": "http://joe:url-password-4@host/v1",
              "headers": {"Authorization": "Bearer header-key-1", "api-key": "azure-key-2", "x-team": "the-team"},
              "query": {"access_token": "query-token-3", "api-version": "2026-01-01"}}]
            """);
    Redactor configured =
        ConfiguredSecrets.redactor(Map.of(), ModelCatalogue.builtIn().extendedBy(file), _ -> null);

    assertThat(configured.redact("x " + secret + " y")).isEqualTo("x [hidden] y");
    assertThat(configured.redact("the-team 2026-01-01")).isEqualTo("the-team 2026-01-01");
  }

  @Test
  void aPasswordInAnyUrlIsHidden() {
    assertThat(Redactor.NONE.redact("cannot reach http://me:letmein@host/x"))
        .isEqualTo("cannot reach http://me:[hidden]@host/x");
  }
}
