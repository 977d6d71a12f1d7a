package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.option.ModelEndpoint;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelEndpointTest {

  private static final URI OPENAI = URI.create("https://api.openai.com/v1");

  @Test
  void aKeyWithoutAnAddressMeansOpenAiIfThatIsWanted() {
    Map<String, String> environment = Map.of("OPENAI_API_KEY", "sk-1");
    assertThat(ModelEndpoint.of(null, environment)).isNull();
    assertThat(ModelEndpoint.orOpenAi(null, environment))
        .isEqualTo(new ModelEndpoint(OPENAI, "sk-1"));
  }

  @Test
  void anAddressIsNotReplaced() {
    Map<String, String> environment =
        Map.of("OPENAI_API_KEY", "sk-1", "OPENAI_BASE_URL", "http://127.0.0.1:8000/v1");
    URI own = URI.create("http://127.0.0.1:8000/v1");
    assertThat(ModelEndpoint.orOpenAi(null, environment)).isEqualTo(new ModelEndpoint(own, "sk-1"));
    URI option = URI.create("http://127.0.0.1:9000/v1");
    assertThat(ModelEndpoint.orOpenAi(option, environment))
        .isEqualTo(new ModelEndpoint(option, "sk-1"));
  }

  @Test
  void nothingIsChosenWithoutAKey() {
    assertThat(ModelEndpoint.orOpenAi(null, Map.of())).isNull();
    assertThat(ModelEndpoint.orOpenAi(null, Map.of("OPENAI_API_KEY", " \r\n"))).isNull();
  }

  @Test
  void aKeyIsTrimmed() {
    assertThat(ModelEndpoint.orOpenAi(null, Map.of("OPENAI_API_KEY", "sk-1\r\n")))
        .isEqualTo(new ModelEndpoint(OPENAI, "sk-1"));
  }
}
