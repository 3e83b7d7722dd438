package io.spillway.capacity.aws;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;

import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;

/** EC2's and the price list's answers in their own forms, with made-up values. */
final class Ec2Answers {
  static final String NAMESPACE = "http://ec2.amazonaws.com/doc/2016-11-15/";

  private Ec2Answers() {}

  /** A call of that operation. */
  static MappingBuilder call(String operation) {
    return post("/").withRequestBody(containing("Action=" + operation + "&"));
  }

  /** The same in one region, as its signature says. */
  static MappingBuilder call(String operation, String region) {
    return call(operation)
        .withHeader("Authorization", containing("/" + region + "/ec2/aws4_request"));
  }

  /** The same for its next page. */
  static MappingBuilder page(String operation, String token) {
    return call(operation).withRequestBody(containing("NextToken=" + token)).atPriority(2);
  }

  static ResponseDefinitionBuilder xml(String operation, String content) {
    return aResponse()
        .withStatus(200)
        .withHeader("Content-Type", "text/xml;charset=UTF-8")
        .withBody(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%1$sResponse xmlns=\"%2$s\"><requestId>r</requestId>%3$s</%1$sResponse>"
                .formatted(operation, NAMESPACE, content));
  }

  /** EC2's error. */
  static ResponseDefinitionBuilder error(int status, String code, String message) {
    return aResponse()
        .withStatus(status)
        .withHeader("Content-Type", "text/xml;charset=UTF-8")
        .withBody(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response><Errors><Error><Code>%s</Code><Message>%s</Message></Error></Errors><RequestID>r</RequestID></Response>"
                .formatted(code, message));
  }

  /** A call for list prices. */
  static MappingBuilder prices() {
    return WireMock.post("/")
        .withHeader("X-Amz-Target", equalTo("AWSPriceListService.GetProducts"));
  }

  static MappingBuilder prices(String type) {
    return prices().withRequestBody(containing("\"" + type + "\"")).atPriority(3);
  }

  static ResponseDefinitionBuilder products(String... products) {
    StringBuilder list = new StringBuilder();
    for (String product : products) {
      list.append(list.isEmpty() ? "" : ",")
          .append('"')
          .append(product.replace("\"", "\\\""))
          .append('"');
    }
    return aResponse()
        .withStatus(200)
        .withHeader("Content-Type", "application/x-amz-json-1.1")
        .withBody("{\"FormatVersion\":\"aws_v1\",\"PriceList\":[" + list + "]}");
  }

  static String product(String type, String region, String usd) {
    return ("{'product':{'attributes':{'instanceType':'%s','regionCode':'%s'}},'terms':{'OnDemand':"
            + "{'S.T':{'priceDimensions':{'S.T.D':{'unit':'Hrs','pricePerUnit':{'USD':'%s'}}}}}}}")
        .formatted(type, region, usd)
        .replace('\'', '"');
  }

  static String zone(String name, String id) {
    return "<item><zoneName>%s</zoneName><zoneId>%s</zoneId><zoneState>available</zoneState></item>"
        .formatted(name, id);
  }

  static String type(String type, String gpu, int count, int mib, String... usage) {
    return "<item><instanceType>%s</instanceType><supportedUsageClasses><item>%s</item></supportedUsageClasses><vCpuInfo><defaultVCpus>192</defaultVCpus></vCpuInfo><memoryInfo><sizeInMiB>2097152</sizeInMiB></memoryInfo><gpuInfo><gpus><item><name>%s</name><manufacturer>NVIDIA</manufacturer><count>%d</count><memoryInfo><sizeInMiB>%d</sizeInMiB></memoryInfo></item></gpus></gpuInfo></item>"
        .formatted(type, String.join("</item><item>", usage), gpu, count, mib);
  }

  static String offer(String type, String zoneId) {
    return "<item><instanceType>%s</instanceType><locationType>availability-zone-id</locationType><location>%s</location></item>"
        .formatted(type, zoneId);
  }

  static String spot(String type, String zone, String price, String at) {
    return "<item><instanceType>%s</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>%s</spotPrice><timestamp>%s</timestamp><availabilityZone>%s</availabilityZone></item>"
        .formatted(type, price, at, zone);
  }

  static String reservation(
      String id, String type, String zoneId, String state, int total, int free, String more) {
    return "<item><capacityReservationId>%s</capacityReservationId><instanceType>%s</instanceType><availabilityZoneId>%s</availabilityZoneId><state>%s</state><totalInstanceCount>%d</totalInstanceCount><availableInstanceCount>%d</availableInstanceCount>%s</item>"
        .formatted(id, type, zoneId, state, total, free, more);
  }

  static String block(String type, String zone, String fee, int hours) {
    return "<item><capacityBlockOfferingId>cbo-1</capacityBlockOfferingId><instanceType>%s</instanceType><availabilityZone>%s</availabilityZone><instanceCount>1</instanceCount><startDate>2026-12-02T11:30:00.000Z</startDate><endDate>2026-12-03T11:30:00.000Z</endDate><capacityBlockDurationHours>%d</capacityBlockDurationHours><upfrontFee>%s</upfrontFee><currencyCode>USD</currencyCode></item>"
        .formatted(type, zone, hours, fee);
  }

  static String set(String name, String items) {
    return "<" + name + ">" + items + "</" + name + ">";
  }

  static String next(String token) {
    return "<nextToken>" + token + "</nextToken>";
  }
}
