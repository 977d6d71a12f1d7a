package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCardBuilder;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutingModelClientTest {

  private static final ModelCatalogue CATALOGUE =
      ModelCatalogue.of(
          List.of(
              card("a1", ModelCard.Kind.CHAT),
              card("b1", ModelCard.Kind.CHAT),
              card("c1", ModelCard.Kind.CHAT),
              card("a-embedder", ModelCard.Kind.EMBEDDING)));

  private final List<String> created = new ArrayList<>();
  private final ModelClient client =
      new RoutingModelClient(CATALOGUE, List.of(new Prefix("a"), new Prefix("b")));

  private static ModelCard card(String name, ModelCard.Kind kind) {
    ModelCardBuilder card =
        kind == ModelCard.Kind.CHAT ? ModelCard.chat(name) : ModelCard.embedding(name);
    return card.contextTokens(1000).build();
  }

  /** Serves the models whose name begins with its own, which is its answer. */
  private final class Prefix implements ModelProvider {
    private final String prefix;

    Prefix(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public boolean serves(ModelCard card) {
      return card.name().startsWith(prefix);
    }

    @Override
    public ModelClient chatClient(ModelCard card) {
      created.add(card.name());
      return ScriptedModelClient.always(ScriptedModelClient.say(prefix));
    }

    @Override
    public Embedder embedder(ModelCard card) {
      throw new AssertionError("routes chat models alone");
    }
  }

  private ModelAnswer call(String model) throws InterruptedException {
    return client.call(ModelRequest.of(model, "s", List.of(new Content.Text("u")), null));
  }

  @Test
  void aRequestGoesToTheFirstProviderThatServesItsModel() throws InterruptedException {
    assertThat(((ModelAnswer.Success) call("b1")).text()).isEqualTo("b");
    assertThat(((ModelAnswer.Success) call("a1")).text()).isEqualTo("a");
  }

  @Test
  void aModelHasOneClient() throws InterruptedException {
    call("a1");
    call("a1");
    assertThat(created).containsExactly("a1");
  }

  @Test
  void aModelThatIsUnknownOrNotServedFailsWithoutACall() throws InterruptedException {
    for (String model : List.of("nobody", "c1", "a-embedder")) {
      ModelAnswer answer = call(model);
      assertThat(answer.failure()).isInstanceOf(ModelFailure.UnknownModel.class);
      assertThat(answer.attempts()).isZero();
    }
  }
}
