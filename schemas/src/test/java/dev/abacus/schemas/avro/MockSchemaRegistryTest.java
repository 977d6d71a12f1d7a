package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class MockSchemaRegistryTest {

  private final SchemaRegistry registry = new MockSchemaRegistry();

  @Test
  void aSchemaHasOneIdUnderAllSubjects() {
    int id = registry.register("a-value", Schemas.GREETING);

    assertThat(registry.register("b-value", Schemas.GREETING)).isEqualTo(id);
    assertThat(registry.schemaById(id)).isEqualTo(Schemas.GREETING);
    assertThat(registry.idOf("b-value", Schemas.GREETING)).isEqualTo(id);
  }

  @Test
  void registeringAgainAddsNoVersion() {
    registry.register("a", Schemas.GREETING);
    registry.register("a", Schemas.GREETING);

    assertThat(registry.latest("a").version()).isEqualTo(1);
  }

  @Test
  void aCompatibleSchemaBecomesTheLatest() {
    registry.register("a", Schemas.GREETING);
    int id = registry.register("a", Schemas.GREETING_WITH_TONE);

    assertThat(registry.latest("a"))
        .isEqualTo(new RegisteredSchema("a", id, 2, Schemas.GREETING_WITH_TONE));
  }

  @Test
  void anIncompatibleSchemaIsRefusedAndLeavesNoTrace() {
    registry.register("a", Schemas.GREETING);

    assertThat(registry.violation("a", Schemas.GREETING_WITH_REQUIRED_TONE)).isPresent();
    assertThatThrownBy(() -> registry.register("a", Schemas.GREETING_WITH_REQUIRED_TONE))
        .isInstanceOfSatisfying(
            RegistryException.Incompatible.class, it -> assertThat(it.retriable()).isFalse())
        .hasMessageContaining("BACKWARD")
        .hasMessageContaining("'a'");
    assertThat(registry.latest("a").schema()).isEqualTo(Schemas.GREETING);
  }

  @Test
  void forwardAllowsWhatOldReadersCanRead() {
    registry.setCompatibility(Compatibility.FORWARD);
    registry.register("a", Schemas.GREETING);

    assertThat(registry.violation("a", Schemas.GREETING_WITH_REQUIRED_TONE)).isEmpty();
  }

  @Test
  void transitiveRulesLookBeyondTheLatestVersion() {
    registry.register("a", Schemas.GREETING);
    registry.register("a", Schemas.GREETING_WITH_TONE);

    assertThat(registry.violation("a", Schemas.GREETING_WITH_REQUIRED_TONE)).isEmpty();
    registry.setCompatibility(Compatibility.BACKWARD_TRANSITIVE);
    assertThat(registry.violation("a", Schemas.GREETING_WITH_REQUIRED_TONE)).isPresent();
  }

  @Test
  void whatIsUnknownIsNotFound() {
    assertThatThrownBy(() -> registry.schemaById(1)).isInstanceOf(RegistryException.NotFound.class);
    assertThatThrownBy(() -> registry.latest("a")).isInstanceOf(RegistryException.NotFound.class);
    assertThatThrownBy(() -> registry.idOf("a", Schema.create(Schema.Type.INT)))
        .isInstanceOf(RegistryException.NotFound.class);
  }

  @Test
  void aScopeIsSharedWithinTheJvm() {
    try (SchemaRegistry one = SchemaRegistry.connect("mock://shared");
        SchemaRegistry other = SchemaRegistry.connect("mock://shared");
        SchemaRegistry apart = SchemaRegistry.connect("mock://apart")) {
      one.register("a", Schemas.GREETING);

      assertThat(other.latest("a").schema()).isEqualTo(Schemas.GREETING);
      assertThatThrownBy(() -> apart.latest("a")).isInstanceOf(RegistryException.NotFound.class);
    }
  }
}
