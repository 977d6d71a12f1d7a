package dev.abacus.deploy.simulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class PromptCacheTest {

  private static final String SCHEMA = "{\"type\":\"object\"}";
  private static final String INSTRUCTION = "Read this carefully. ".repeat(400);
  private static final int INSTRUCTION_TOKENS = 2_000;
  private static final int DOCUMENT_TOKENS = 2_000;

  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private final PromptCache cache = new PromptCache(() -> now);

  private static String document(int number) {
    return ("document " + number + " says ").repeat(500);
  }

  private int ask(String schema, int document) {
    return cache.cachedTokens(
        "m", schema, INSTRUCTION + document(document), INSTRUCTION_TOKENS + DOCUMENT_TOKENS);
  }

  @Test
  void documentsBehindOneInstructionShareItsTokens() {
    assertThat(ask(SCHEMA, 1)).isZero();
    int shared = ask(SCHEMA, 2);
    assertThat(shared).isBetween(1_024, INSTRUCTION_TOKENS);
    assertThat(shared % 128).isZero();
    assertThat(ask(SCHEMA, 2)).isGreaterThan(INSTRUCTION_TOKENS + DOCUMENT_TOKENS - 512);
  }

  @Test
  void theSchemaIsTheBeginningOfThePrompt() {
    ask(SCHEMA, 1);
    assertThat(ask("{\"type\":\"string\"}", 1)).isZero();
    assertThat(ask("", 1)).isZero();
  }

  @Test
  void aPrefixIsForgottenTenMinutesAfterItsLastUse() {
    ask(SCHEMA, 1);
    now = now.plusSeconds(600);
    assertThat(ask(SCHEMA, 2)).isPositive();
    now = now.plusSeconds(600);
    assertThat(ask(SCHEMA, 3)).as("the last use renews it").isPositive();
    now = now.plusSeconds(601);
    assertThat(ask(SCHEMA, 4)).isZero();
  }

  @Test
  void promptsBelow1024TokensAreNotCached() {
    assertThat(cache.cachedTokens("m", "", INSTRUCTION, 1_023)).isZero();
    assertThat(cache.cachedTokens("m", "", INSTRUCTION, 1_023)).isZero();
  }
}
