package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.Map;

class OpenAiModelClientTest extends ModelClientContract {

  @Override
  protected ModelClient client(String defaultUrl, ModelCatalogue catalogue) {
    return new OpenAiModelClient(
        catalogue, new Endpoints(defaultUrl, "k0", Map.of("OWN_KEY", "k1")::get));
  }
}
