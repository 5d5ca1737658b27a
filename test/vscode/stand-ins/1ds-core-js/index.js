exports.AppInsightsCore = class AppInsightsCore {};
