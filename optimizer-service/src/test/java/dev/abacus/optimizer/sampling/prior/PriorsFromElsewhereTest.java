package dev.abacus.optimizer.sampling.prior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Priors that are transferred from other programs or taken from published data. */
class PriorsFromElsewhereTest {

  private static final PhysicalOperator GOOD = model("good");
  private static final PhysicalOperator BAD = model("bad");
  private static final PhysicalOperator NEW = model("new");
  private static final Map<String, List<PhysicalOperator>> SPACE =
      Map.of("classify", List.of(GOOD, BAD, NEW));

  private static PhysicalOperator model(String name) {
    return new ModelSelection(name);
  }

  private static LearnedArm arm(PhysicalOperator physical, int samples, double quality) {
    return LearnedArm.of(physical, samples, new OperatorEstimate(quality, 0.01, 2, 1));
  }

  private static Priors transferred(LearnedOperator... learned) {
    return TransferredPriors.of(SPACE, Map.of("classify", "map"), List.of(learned));
  }

  private static OperatorEstimate prior(Priors priors, PhysicalOperator physical) {
    return Objects.requireNonNull(priors.find("classify", physical.id()));
  }

  @Test
  void learnedOrderTheImplementationsTheyAreAbout() {
    Priors priors =
        transferred(new LearnedOperator("map", List.of(arm(GOOD, 20, 0.9), arm(BAD, 20, 0.3))));

    assertThat(prior(priors, GOOD).quality()).isGreaterThan(prior(priors, BAD).quality());
    assertThat(prior(priors, GOOD).cost()).isCloseTo(0.01, within(1e-9));
    assertThat(prior(priors, GOOD).latency()).isCloseTo(2, within(1e-9));
    assertThat(priors.find("classify", NEW.id())).isNull();
  }

  @Test
  void theDifficultyOfOneOperatorIsNotTakenForABadImplementation() {
    Priors priors =
        transferred(
            new LearnedOperator("map", List.of(arm(GOOD, 40, 0.5), arm(BAD, 40, 0.3))),
            new LearnedOperator("map", List.of(arm(BAD, 40, 0.8))));

    assertThat(prior(priors, GOOD).quality()).isGreaterThan(prior(priors, BAD).quality());
  }

  @Test
  void fewSamplesMoveAPriorLess() {
    Priors few =
        transferred(new LearnedOperator("map", List.of(arm(GOOD, 1, 0.9), arm(BAD, 1, 0.3))));
    Priors many =
        transferred(new LearnedOperator("map", List.of(arm(GOOD, 50, 0.9), arm(BAD, 50, 0.3))));

    assertThat(prior(few, GOOD).quality()).isLessThan(prior(many, GOOD).quality());
  }

  @Test
  void operatorsOfAnotherKindTeachNothing() {
    assertThat(transferred(new LearnedOperator("filter", List.of(arm(GOOD, 20, 0.9)))).byOperator())
        .isEmpty();
  }

  @Test
  void naivePriorsFollowTheCatalogueAndSkipUnknownModels() {
    PhysicalOperator known = model("gpt-4o");
    Priors priors =
        NaivePriors.of(Map.of("classify", List.of(known, NEW)), ModelCatalogue.builtIn());

    assertThat(prior(priors, known).quality())
        .isEqualTo(ModelCatalogue.builtIn().get("gpt-4o").quality());
    assertThat(priors.find("classify", NEW.id())).isNull();
  }

  @Test
  void aKeyIsReadAsItIsWritten() {
    List<LearnedKey> keys =
        List.of(
            new LearnedKey.ByOperator("p", "classify"),
            new LearnedKey.Given("p"),
            new LearnedKey.Transferred("p"));

    assertThat(keys).allSatisfy(key -> assertThat(LearnedKey.parse(key.path())).isEqualTo(key));
    assertThatIllegalArgumentException().isThrownBy(() -> LearnedKey.parse("plan/p"));
  }

  @Test
  void aLearnedArmHasAtLeastOneSample() {
    assertThatIllegalArgumentException().isThrownBy(() -> arm(GOOD, 0, 0.5));
  }
}
