package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelInventoryTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  /** An endpoint as the outside world has it. */
  private static class FakeProvider implements ModelProvider {
    private @Nullable Set<String> served = Set.of();
    private @Nullable String missingKey;
    private int lists;

    @Override
    public boolean serves(ModelCard card) {
      return card.kind() == ModelCard.Kind.CHAT;
    }

    @Override
    public ModelClient chatClient(ModelCard card) {
      return _ -> {
        throw new AssertionError("a check calls no model");
      };
    }

    @Override
    public Embedder embedder(ModelCard card) {
      throw new AssertionError("serves no embedding model");
    }

    @Override
    public @Nullable String missingKey(ModelCard card) {
      return missingKey;
    }

    @Override
    public String address(ModelCard card) {
      return "http://e/v1";
    }

    @Override
    public @Nullable Set<String> served(ModelCard card) {
      lists++;
      return served;
    }
  }

  private final FakeProvider provider = new FakeProvider();
  private Instant now = NOW;
  private final ModelInventory inventory =
      new ModelInventory(ModelCatalogue.builtIn(), List.of(provider), () -> now);

  @Test
  void aModelThatTheEndpointDoesNotListIsMissing() throws InterruptedException {
    provider.served = Set.of("gpt-4o", "other");

    inventory.check();

    assertThat(inventory.problem("gpt-4o")).isNull();
    assertThat(inventory.problem("o4-mini"))
        .isEqualTo(
            new ModelReport(
                "o4-mini",
                ModelState.MISSING,
                NOW,
                "http://e/v1 lists 2 models without 'o4-mini'"));
    assertThat(provider.lists).isEqualTo(1);
  }

  @Test
  void aNameWithoutATagIsListedByOllamaAsLatest() throws InterruptedException {
    provider.served = Set.of("gpt-4o:latest");

    inventory.check();

    assertThat(inventory.problem("gpt-4o")).isNull();
  }

  @Test
  void withoutAListEveryModelMayBeTried() throws InterruptedException {
    provider.served = null;

    inventory.check();

    assertThat(inventory.reports()).isNotEmpty();
    assertThat(inventory.reports())
        .allMatch(report -> report.state() == ModelState.AVAILABLE && report.message().isEmpty());
  }

  @Test
  void aMissingKeyIsNamed() throws InterruptedException {
    provider.missingKey = "variable K is not set";

    inventory.check();

    assertThat(inventory.problem("gpt-4o"))
        .isEqualTo(new ModelReport("gpt-4o", ModelState.NO_KEY, NOW, "variable K is not set"));
    assertThat(provider.lists).isZero();
  }

  @Test
  void theTimeIsThatOfTheFirstReport() throws InterruptedException {
    inventory.check();
    now = NOW.plusSeconds(30);
    inventory.check();
    assertThat(inventory.problem("gpt-4o")).extracting(ModelReport::since).isEqualTo(NOW);

    provider.served = Set.of("gpt-4o");
    inventory.check();

    assertThat(inventory.reports())
        .contains(new ModelReport("gpt-4o", ModelState.AVAILABLE, now, ""));
  }
}
