package dev.abacus.topology.model.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedPrefixesTest {

  private static final String SYSTEM = "Read this carefully. ".repeat(500);
  private static final String TERMS = "The terms of the account are these. ".repeat(300);
  private static final ResponseSchema SCHEMA =
      new ResponseSchema("s", JsonNodeFactory.instance.objectNode().put("type", "object"));

  private final TokenCounter counter =
      TokenCounter.of(
          ModelCatalogue.of(
              List.of(
                  ModelCard.chat("gpt-4o").contextTokens(100_000).build(),
                  ModelCard.chat("fine")
                      .tokenizer("o200k_base")
                      .contextTokens(100_000)
                      .promptCacheLeastTokens(10)
                      .promptCacheStepTokens(1)
                      .build())));
  private final SharedPrefixes prefixes = new SharedPrefixes(counter);

  private static ModelRequest ask(String model, String system, String user) {
    return ModelRequest.of(model, system, List.of(new Content.Text(user)), SCHEMA);
  }

  /** As a provider answers that writes schema and roles with so many more tokens than counted. */
  private long tokens(ModelRequest request, String document, int more) {
    TokenCounts usage = TokenCounts.of(counter.count(request).tokens() + more, 0, 5);
    return prefixes.tokens(
        request,
        new ModelAnswer.Success("{}", new ExecutionStats(1, 1, 1, usage), List.of()),
        document,
        1);
  }

  private long instruction(ModelRequest request) {
    return counter.count(request).tokens() - counter.ofContent(request).tokens();
  }

  @Test
  void theInstructionIsWhatStandsBeforeTheUserMessageInStepsOfTheProvider() {
    ModelRequest request = ask("gpt-4o", SYSTEM, "a letter");
    long instruction = instruction(request);
    assertThat(tokens(request, "1", 0)).isEqualTo(instruction / 128 * 128);
    assertThat(tokens(request, "1", 300)).isEqualTo((instruction + 300) / 128 * 128);
    assertThat(tokens(ask("fine", SYSTEM, "a letter"), "1", 0)).isEqualTo(instruction);
  }

  @Test
  void aBeginningThatIsTooShortIsNotCached() {
    assertThat(tokens(ask("gpt-4o", "brief", "a letter"), "1", 0)).isZero();
  }

  @Test
  void theBeginningOfAUserMessageCountsOnceAnotherDocumentHadIt() {
    ModelRequest one = ask("fine", "brief", TERMS + "one letter. ".repeat(50));
    ModelRequest two = ask("fine", "brief", TERMS + "two letters. ".repeat(50));
    long instruction = instruction(one);

    assertThat(tokens(one, "1", 0)).isEqualTo(instruction);
    assertThat(tokens(one, "1", 0)).as("the same document").isEqualTo(instruction);
    long shared = tokens(two, "2", 0) - instruction;
    long terms = counter.count("fine", TERMS).tokens();
    assertThat(shared).isBetween(terms * 9 / 10, terms * 11 / 10);
    assertThat(tokens(one, "1", 0) - instruction)
        .as("the first again")
        .isBetween(terms * 9 / 10, terms * 11 / 10);
    assertThat(tokens(ask("fine", "other", TERMS), "3", 0)).isLessThan(shared);
  }

  @Test
  void aDocumentHasItsPartOfACallForSeveral() {
    ModelRequest request = ask("gpt-4o", SYSTEM, "a letter");
    long user = counter.ofContent(request).tokens();
    long instruction = instruction(request);
    TokenCounts usage = TokenCounts.of(instruction / 4 + user, 0, 5);
    assertThat(
            prefixes.tokens(
                request,
                new ModelAnswer.Success("{}", new ExecutionStats(1, 1, 1, usage), List.of()),
                "1",
                4))
        .isEqualTo(instruction / 4 * 4 / 128 * 128 / 4);
  }
}
