package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelClientContract;
import java.util.Map;

class OpenAiModelClientTest extends ModelClientContract {

  @Override
  protected ModelClient client(String defaultUrl, ModelCatalogue catalogue) {
    return new OpenAiModelClient(
        catalogue, new Endpoints(defaultUrl, "k0", Map.of("OWN_KEY", "k1")::get));
  }
}
