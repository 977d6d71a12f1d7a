package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.simulator.tokens.Tokenizer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PromptCacheTest {

  private static final String SCHEMA = "{\"type\":\"object\"}";
  private static final String INSTRUCTION = "Read this carefully. ".repeat(400);
  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private final Tokenizer tokenizer = new Tokenizer();
  private final PromptCache cache = new PromptCache(() -> now, tokenizer::count);

  private static String document(int number) {
    return ("document " + number + " says ").repeat(500);
  }

  private int ask(String schema, int document) {
    return ask(schema, document, Duration.ZERO);
  }

  private int ask(String schema, int document, Duration reading) {
    return cache.cachedTokens(prompt("", schema, INSTRUCTION + document(document)), reading);
  }

  private PromptCache.Prompt prompt(String key, String schema, String messages) {
    int tokens = tokenizer.count(schema + messages);
    return new PromptCache.Prompt("m", key, schema, messages, tokens);
  }

  @Test
  void documentsBehindOneInstructionShareItsTokens() {
    assertThat(ask(SCHEMA, 1)).isZero();
    int instruction = tokenizer.count(SCHEMA + INSTRUCTION);
    assertThat(ask(SCHEMA, 2)).isEqualTo(instruction / 128 * 128);
    int all = tokenizer.count(SCHEMA + INSTRUCTION + document(2));
    assertThat(ask(SCHEMA, 2)).isBetween(all - 256, all);
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
    String brief = "word ".repeat(1_000);
    assertThat(cache.cachedTokens(prompt("", "", brief), Duration.ZERO)).isZero();
    assertThat(cache.cachedTokens(prompt("", "", brief), Duration.ZERO)).isZero();
  }

  @Test
  void callsThatStartTogetherFindNothingOfEachOther() {
    Duration reading = Duration.ofSeconds(1);
    assertThat(ask(SCHEMA, 1, reading)).isZero();
    now = now.plusMillis(999);
    assertThat(ask(SCHEMA, 2, reading)).isZero();
    now = now.plusMillis(1);
    assertThat(ask(SCHEMA, 3, reading)).isPositive();
  }

  @Test
  void aFurtherMachineForEachFifteenCallsInAMinuteHasACacheOfItsOwn() {
    int misses = 0;
    for (int call = 0; call < 60; call++) {
      misses += ask(SCHEMA, call) == 0 ? 1 : 0;
    }
    assertThat(misses).isEqualTo(4);
    now = now.plusSeconds(61);
    for (int call = 0; call < 60; call++) {
      now = now.plusSeconds(5);
      assertThat(ask(SCHEMA, call)).as("after %d calls", call).isPositive();
    }
  }

  @Test
  void promptsWithAnotherCacheKeyShareNothing() {
    PromptCache.Prompt one = prompt("one", SCHEMA, INSTRUCTION);
    assertThat(cache.cachedTokens(one, Duration.ZERO)).isZero();
    assertThat(cache.cachedTokens(prompt("two", SCHEMA, INSTRUCTION), Duration.ZERO)).isZero();
    assertThat(cache.cachedTokens(one, Duration.ZERO)).isPositive();
  }
}
